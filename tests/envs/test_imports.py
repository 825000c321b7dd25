"""What importing racegym loads."""

from __future__ import annotations

import subprocess
import sys


def test_import_is_light_and_registers_the_ids():
    """Pitfall 43: no compiler, no learning library, no window toolkit."""
    script = (
        "import sys, racegym, gymnasium\n"
        "heavy = {'numba', 'torch', 'pygame', 'matplotlib', 'pettingzoo', 'onnxruntime'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "print(sum(name.startswith('racegym/') for name in gymnasium.registry))\n"
        "from racegym.engine.registry import BUILT_IN\n"
        "print(len(BUILT_IN))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    loaded, registered, built_in = done.stdout.split("\n")[:3]
    assert loaded == "[]"
    assert int(registered) == int(built_in) + 1  # and the one for any game

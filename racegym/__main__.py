"""``python -m racegym`` is the command ``racegym``."""

import sys

from racegym.cli import main

sys.exit(main())

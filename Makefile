# Everything one does in a checkout of racegym. Needs Python >= 3.10, git and make, no more.
# All paths are relative, so that the checkout may lie under a path with spaces in it.

PYTHON ?= python3
PYTEST_ARGS ?= -n auto --dist worksteal
BENCH_ARGS ?=

INSTALLED := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help demo test venv lint bench clean

help:
	@echo "make demo    train a small policy, export it, and match it against random and scripted play"
	@echo "make test    run the tests on all cores       (PYTEST_ARGS='-k dice' chooses other options)"
	@echo "make lint    check style, format and types"
	@echo "make bench   measure decisions per second     (BENCH_ARGS='dino_race' adds options)"
	@echo "make venv    set up .venv; the others do it first where needed"
	@echo "make clean   remove .venv and all that was built or cached"
	@echo
	@echo "PYTHON=python3.12 chooses the Python for a new .venv (3.10 or newer; now: $(PYTHON))."
	@echo "pip's own settings hold: PIP_EXTRA_INDEX_URL can name an index with other builds of torch."

demo: $(INSTALLED)
	.venv/bin/python examples/demo.py

test: $(INSTALLED)
	.venv/bin/python -m pytest $(PYTEST_ARGS)

lint: $(INSTALLED)
	.venv/bin/python -m ruff check .
	.venv/bin/python -m ruff format --check .
	.venv/bin/python -m mypy

bench: $(INSTALLED)
	.venv/bin/racegym bench $(BENCH_ARGS)

venv: $(INSTALLED)

# The stamp is written last: a set-up that was broken off is taken up again by the next call.
$(INSTALLED): pyproject.toml constraints.txt
	@"$(PYTHON)" -c 'import sys; sys.exit("racegym needs Python 3.10 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 10) else 0)'
	"$(PYTHON)" -m venv .venv
	.venv/bin/python -m pip install --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $(INSTALLED)

clean:
	rm -rf .venv build dist racegym.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

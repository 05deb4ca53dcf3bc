# The commands of the house. `make play` and `make test` are all that a newcomer needs.
PYTHON := .venv/bin/python
PORT ?= 8000

.PHONY: setup setup-test play test test-page check bench format corpus requirements clean

setup:            ## the environment in .venv and the browser client, as far as they are not there yet
	@scripts/setup play

setup-test:       ## that, and what tests, checks and benchmarks need
	@scripts/setup test

play: setup       ## the server with the browser client, on http://127.0.0.1:8000 unless PORT says otherwise
	@exec .venv/bin/tavolino serve --port $(PORT)

test: setup-test  ## every test, in all modes
	@scripts/test

test-page: setup-test ## of these, the page alone: components, and whole games in a real browser
	@scripts/test-page

check: setup-test ## format, lint, types, layers
	@scripts/check

bench: setup-test ## side by side with peers, as ratios in one run
	@$(PYTHON) bench/run.py

format: setup-test
	@.venv/bin/ruff format . && .venv/bin/ruff check --fix .

corpus: setup-test ## record the corpus of games anew: only together with a new rules version
	@$(PYTHON) tests/corpus/make.py

requirements:     ## pin again what requirements/*.in ask for, with hashes and without addresses
	@for group in setup node play lab research test; do \
	  uv pip compile -q --upgrade --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate --no-header \
	    requirements/$$group.in -o requirements/$$group.txt; done

clean:
	@rm -rf .venv web/node_modules web/dist src/tavolino/server/page bench/build

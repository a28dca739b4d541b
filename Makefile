# make play starts Sandtable, make test runs every check; both set up what they need first.
SHELL := /bin/sh
JOBS ?= 2
BIN := .venv/bin
.DEFAULT_GOAL := help
.PHONY: help play test bench mutate format web lock setup clean

help: ## What can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

play: ## Set up and open Sandtable in the browser
	@sh tools/setup.sh run
	@$(BIN)/sandtable play

test: setup ## Set up and run every check and every test
	@JOBS=$(JOBS) sh tools/test.sh

setup: ## Set up for development: .venv with everything the tests need
	@sh tools/setup.sh test

bench: setup ## Measure what has a target
	@$(BIN)/sandtable bench

mutate: setup ## Change the rules in small ways and see whether a test notices (NUMBER=400 SEED=1 JOBS=2 PATHS=...)
	@$(BIN)/python tools/mutate.py --number $(or $(NUMBER),400) --seed $(or $(SEED),1) --jobs $(JOBS) $(PATHS)

format: setup ## Format and tidy the code
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

web: ## Build the browser client into the package (needs node and npm)
	@sh tools/web.sh build

lock: ## Write requirements/*.txt anew from pyproject.toml (needs uv; UPGRADE=1 for new versions)
	@sh tools/lock.sh $(if $(UPGRADE),--upgrade)

clean: ## Remove the environment, builds and caches
	rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis web/node_modules
	find src tests tools bench -name __pycache__ -type d -prune -exec rm -rf {} +

# Any Python that runs: it finds the right ones and builds the environments under .cache.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do \
	$$p -c '' 2>/dev/null && echo $$p && break; done)
CHECK = $(PYTHON) tests/tools/check.py

export TEST

.DEFAULT_GOAL = help
.PHONY: help test unit clean

help: ## Show the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

test: ## Run everything that CI runs
	@$(CHECK)

unit: ## Run the unit tests, or one: TEST=tests/unit/test_version.py
	@$(CHECK) unit

clean: ## Remove everything that make has created
	rm -rf .cache

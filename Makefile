# Any Python from 3.9 on will do: it looks for the right ones, and builds environments under .cache with them.
PYTHON ?= $(or $(shell for python in python3 python3.13 python3.12 python3.11 /usr/bin/python3; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null && echo $$python && break; done),python3)
CHECK = @$(PYTHON) tests/tools/check.py
SECTIONS = lint unit emulator integration equivalence molecule sanity docs build

export CORE CORE_PYTHON CORE_SOURCE SIGN_WITH TEST VERSION

.DEFAULT_GOAL = help
.PHONY: help demo test $(SECTIONS) bench matrix canary schemas pictures pins release artifacts released clean

help: ## Show the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

demo: ## The collection at work, on nothing but this machine; KEEP=1 leaves its page open until Enter
	@$(PYTHON) tests/tools/demo.py

test: ## Everything that CI runs: all that follow down to build
	$(CHECK)

lint: ## Style, types and Ansible's best practices
unit: ## Unit tests, or one: make unit TEST=tests/unit/project/test_metadata.py
emulator: ## The emulator's own tests, or one: make emulator TEST=tests/...
integration: ## Playbooks against the emulator, or one: make integration TEST=tests/integration/... CORE=2.16
equivalence: ## In the worker's process or as a module: the same results, on the oldest and the newest ansible-core, or on CORE=2.18
molecule: ## The scenarios of Molecule: one for each role, and one for the modules
sanity: ## ansible-test sanity on the oldest and the newest ansible-core
docs: ## Documentation, with its site, and changelog
build: ## The artifact: build, install, verify, and Galaxy's importer

$(SECTIONS):
	$(CHECK) $@

bench: ## How fast it is, compared with other tasks: docs/performance.md; BENCH_PEER=1, CORE=2.16
	@$(PYTHON) tests/tools/bench.py

matrix: ## Slow: every ansible-core with every Python, or a part: CORE="2.18 2.20" CORE_PYTHON=preferred SECTION=equivalence
	@$(PYTHON) tests/tools/matrix.py $(SECTION)

schemas: ## Write docs/schemas anew: a test compares them with the options and their documentation
	@$(PYTHON) tests/tools/in_development.py schemas.py

pictures: ## Take the pictures of README and guides anew, from the demo: docs/pictures
	@$(PYTHON) tests/tools/in_development.py pictures.py

canary: ## A report: an ansible-core to come, the newest on the index or CORE_SOURCE=path; or a part: SECTION=equivalence
	@$(PYTHON) tests/tools/canary.py $(SECTION)

pins: ## Renew the pinned requirements
	@$(PYTHON) tests/tools/pins.py

release: ## Make a release, signed if a key is named: make release VERSION=1.0.0 SIGN_WITH=KEY
	@$(PYTHON) tests/tools/release.py

artifacts: ## What a release publishes, built of the last commit: the same bytes each time; SIGN_WITH=KEY
	@$(PYTHON) tests/tools/artifacts.py

released: ## What a release publishes, built and tried without the checkout: guides, examples and the demo's story
	@$(PYTHON) tests/tools/released.py

clean: ## Remove everything that make has created
	rm -rf .cache

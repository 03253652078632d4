# Any Python from 3.11 to 3.13 will do. It runs nox, which finds the other Pythons and builds environments under .cache.
PYTHON ?= $(or $(shell for python in python python3 python3.13 python3.12 python3.11 /usr/bin/python3 \
	$$HOME/.pyenv/versions/3.1[123].*/bin/python; do \
	$$python -c 'import ensurepip, sys, venv; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null \
	&& echo $$python && break; done),python3)
NOX = .cache/venv/nox/bin/nox
# The longest ones first: each processor takes the next.
SECTIONS = integration unit sanity equivalence emulator lint docs build
TIMES = .cache/times.json

export CORE CORE_PYTHON CORE_SOURCE FOLDER SAMPLE SECTION SIGN_WITH VERSION

.DEFAULT_GOAL = help
.PHONY: help demo test $(SECTIONS) molecule thorough bench matrix canary mutants schemas pictures pins release artifacts released clean

help: ## Show the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 14

# The installed nox, of these pins and no others.
$(NOX): tests/requirements/nox.txt
	@rm -rf .cache/venv/nox
	@$(PYTHON) -m venv .cache/venv/nox
	@.cache/venv/nox/bin/pip install --quiet --quiet --require-hashes --requirement $<
	@touch $@

demo: $(NOX) ## The collection at work, on nothing but this machine; KEEP=1 leaves its page open until Enter
	@$(NOX) --session $@

test: $(NOX) ## What every change must pass: all that follow down to build, one for each processor at a time
	@rm -f $(TIMES); status=0; \
	PYTEST_XDIST_AUTO_NUM_WORKERS=1 $(NOX) --parallel auto --report $(TIMES) --session $(SECTIONS) || status=$$?; \
	test ! -f $(TIMES) || $(PYTHON) tests/tools/section_times.py $(TIMES); exit $$status

lint: ## Style, types and Ansible's best practices
unit: ## Unit tests, or some: make unit TEST=tests/unit/project/test_metadata.py, make unit TEST='-k "team or alias"'
emulator: ## The emulator's own tests, or some: make emulator TEST=tests/...
integration: ## Playbooks against the emulator, or some: make integration TEST=tests/integration/... CORE=2.16
equivalence: ## In the worker's process or as a module: the same results, on the newest ansible-core, or on CORE=2.18
sanity: ## ansible-test sanity on the newest final ansible-core, or on CORE=2.16
docs: ## Documentation, with its site, and changelog
build: ## The artifact: build, install, verify, and Galaxy's importer

$(SECTIONS): $(NOX)
	@$(NOX) --session $@ -- $(TEST)

molecule: $(NOX) ## The scenarios of Molecule: one for each role, and one for the modules
	@$(NOX) --session $@

thorough: $(NOX) ## What these leave out: slow and exhaustive tests, many random examples, Molecule, the oldest libraries
	@$(NOX) --session $@ molecule

bench: $(NOX) ## How fast it is, compared with other tasks: docs/performance.md; or with CORE=2.16
	@$(NOX) --session $@

matrix: $(NOX) ## Slow: all tests, every ansible-core and Python; or CORE="2.18 2.20" CORE_PYTHON=preferred SECTION=sanity
	@$(NOX) --session $(if $(CORE)$(SECTION),,thorough molecule) matrix

canary: $(NOX) ## A report: an ansible-core to come, the newest on the index or CORE_SOURCE=path; or a part: SECTION=sanity
	-@$(NOX) --session $@

mutants: $(NOX) ## Small breaks of the code, and whether its tests notice: SAMPLE=100 of FOLDER=_api
	@$(NOX) --session $@

schemas: $(NOX) ## Write docs/schemas anew: a test compares them with the options and their documentation
	@$(NOX) --session "write($@)"

pictures: $(NOX) ## Take the pictures of README and guides anew, from the demo: docs/pictures
	@$(NOX) --session "write($@)"

pins: $(NOX) ## Renew the pinned requirements
	@$(NOX) --session $@

release: $(NOX) ## Make a release, of which nothing leaves this machine: make release VERSION=1.0.0
	@$(NOX) --session "write($@)"

artifacts: $(NOX) ## What a release publishes, built of the last commit, signed with SIGN_WITH=KEY
	@$(NOX) --session "write($@)"

released: $(NOX) ## What a release publishes, built and tried without the checkout: the quick start and the demo's story
	@$(NOX) --session $@

clean: ## Remove everything that make has created
	rm -rf .cache

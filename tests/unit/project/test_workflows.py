# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The collection's own workflows agree with the Makefile, and secrets are where somebody approves their use.

`make lint` checks them against the forge's schema, and audits them: pinned actions, permissions, expressions in shells.
"""

from __future__ import annotations

import json
import re

import yaml
from environments import ROOT
from interpreters import CANARY_PYTHONS, CORES, DEVELOPMENT_PYTHONS, OLDEST_MODULE_PYTHON

JOBS = {
    path.stem: yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"]
    for path in sorted((ROOT / ".github/workflows").iterdir())
}
TESTS = JOBS["tests"]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def pythons(job):
    given = [step.get("with", {}).get("python-version") for step in TESTS[job]["steps"]]
    return next(filter(None, given)).split()


def test_every_command_is_a_target_and_every_section_has_a_job():
    steps = [step.get("run", "") for jobs in JOBS.values() for job in jobs.values() for step in job["steps"]]
    targets = {word for command in steps for word in re.findall(r"^make (\w+)$", command)}
    assert targets == {"canary", "docs", "matrix", "released", "sanity", "thorough"}
    assert all(re.search(rf"(?m)^{target}:", MAKEFILE) for target in targets)
    (sections,) = re.findall(r"(?m)^SECTIONS = (.*)$", MAKEFILE)
    assert TESTS["test"]["strategy"]["matrix"]["section"] == sections.split()


def test_every_job_has_the_pythons_that_it_needs():
    assert TESTS["matrix"]["strategy"]["matrix"]["core"] == list(CORES)
    for job in ("test", "matrix"):
        assert [core for core, versions in CORES.items() if not set(versions) & set(pythons(job))] == []
    assert OLDEST_MODULE_PYTHON in pythons("thorough")
    assert set(pythons("canary")) & set(CANARY_PYTHONS)
    assert {pythons(job)[-1] for job in TESTS} <= set(DEVELOPMENT_PYTHONS), "make runs on the last one"


def test_secrets_are_in_steps_of_a_job_that_somebody_approves():
    """What builds and tests runs code of many people: it knows no secret, and hands over files that are compared."""
    found = set()
    for jobs in JOBS.values():
        for name, job in jobs.items():
            for step in job["steps"]:
                if "secrets." in json.dumps(step):
                    found.add(name)
                    assert job["environment"] == "release"
                    assert not re.search("make|pip", step["run"])
    assert found == {"publish"}

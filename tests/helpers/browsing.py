# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A real, headless Chromium."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")
NO_CHROMIUM = "no Chromium found: install the Debian packages `chromium` and `chromium-driver`"
FLAGS = (
    "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    " disable-component-update disable-sync"
)

in_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and os.environ.get("CI") != "true", reason=NO_CHROMIUM
)


@contextmanager
def chromium(profile: Path) -> Iterator[Chrome]:
    assert CHROMIUM, NO_CHROMIUM
    assert DRIVER, NO_CHROMIUM
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in [*FLAGS.split(), f"user-data-dir={profile}"]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(DRIVER))
    try:
        yield driver
    finally:
        driver.quit()


AXE = """
const done = arguments[arguments.length - 1];
const only = {resultTypes: ["violations"]};
axe.run(document, only).then((found) => done(found.violations.map((violation) => [
  violation.id, violation.impact, violation.nodes.map((node) => node.html.slice(0, 200))])));
"""


def violations(browser: Chrome) -> list[Any]:
    """The violations that axe-core finds on the current page: rule, impact and elements of each."""
    # Not injected as a script element, which the page's policy forbids.
    browser.execute_script((files("axe_core_python") / "axe.min.js").read_text(encoding="utf-8"))
    return list(browser.execute_async_script(AXE))

# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for people, in a real browser."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from support import Api

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
MARKUP = "<img src=x onerror=\"document.title='run'\">"


NO_CHROMIUM = "no Chromium found: install the Debian packages `chromium` and `chromium-driver`"
in_chromium = pytest.mark.skipif(not (CHROMIUM and DRIVER) and os.environ.get("CI") != "true", reason=NO_CHROMIUM)


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    assert CHROMIUM, NO_CHROMIUM
    assert DRIVER, NO_CHROMIUM
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    flags = "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    for flag in [*flags.split(), "disable-component-update", "disable-sync", f"user-data-dir={tmp_path}"]:
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(DRIVER))
    yield driver
    driver.quit()


def wait_for(browser: Chrome, section: str, text: str) -> None:
    WebDriverWait(browser, 20).until(lambda found: text in found.find_element(By.ID, section).text)


@in_chromium
def test_page_shows_what_happens_and_confirms_a_login(api: Api, browser: Chrome) -> None:
    api.new_project(MARKUP, framework="vite")
    api.switch(not_found=403)
    api.fault("DELETE /projects/{idOrName}", "503")
    browser.get(f"{api.address}/_emulator/")
    wait_for(browser, "stored", MARKUP)
    wait_for(browser, "requests", "/projects")
    wait_for(browser, "faults", "DELETE /projects/{idOrName}")
    changed = browser.find_elements(By.CSS_SELECTOR, "#switches tr.changed")
    assert [row.text.split()[:2] for row in changed] == [["not_found", "403"]]

    query = {"email": "new@example.com"}
    query["token"] = api.post("/auth/signin", json={**query, "tokenName": MARKUP}).json()["token"]
    assert api.get("/auth/verify", params=query).status_code == 400
    wait_for(browser, "outbox", "Confirm this login")
    browser.find_element(By.LINK_TEXT, "Confirm this login").click()
    wait_for(browser, "outbox", "confirmed")
    assert api.get("/auth/verify", params=query).json()["email"] == "new@example.com"
    wait_for(browser, "requests", "/auth/verify")

    assert browser.title == "hosting.platform emulator", "stored markup did not run"
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]  # type: ignore[no-untyped-call]
    assert severe == []


@in_chromium
def test_tabs_and_reset(api: Api, browser: Chrome) -> None:
    api.new_project("web", alias="www.example.com")
    browser.get(f"{api.address}/_emulator/")
    wait_for(browser, "kinds", "aliases 1")
    browser.find_element(By.XPATH, "//button[text()='aliases 1']").click()
    wait_for(browser, "stored", "www.example.com")
    browser.find_element(By.ID, "reset").click()
    browser.switch_to.alert.accept()
    wait_for(browser, "stored", "No aliases yet.")
    assert api.state()["projects"] == []


def test_page_needs_nothing_from_outside(api: Api) -> None:
    answer = api.get("/_emulator/")
    policy = answer.headers["content-security-policy"]
    (nonce,) = set(re.findall(r"'nonce-([^']+)'", policy))
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert set(re.findall(r'<(?:script|style) nonce="([^"]+)"', answer.text)) == {nonce}
    assert len(re.findall(r"<(?:script|style)", answer.text)) == 2
    assert not re.search(r'(?:src|href|action)="(?!data:)', answer.text)
    assert nonce not in api.get("/_emulator").headers["content-security-policy"], "a new one each time"


def test_overview_shows_the_newest_of_many(api: Api) -> None:
    api.seed(projects=[{"name": f"p{number}"} for number in range(40)])
    overview = api.get("/_emulator/overview").json()
    assert overview["counts"]["projects"] == 40
    assert [project["name"] for project in overview["newest"]["projects"]][:2] == ["p39", "p38"]
    assert len(overview["newest"]["projects"]) == 25

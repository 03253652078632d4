# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page for people, in a real browser."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import chromium, in_chromium, violations
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from support import DEV_EMAIL, Api

MARKUP = "<img src=x onerror=\"document.title='run'\">"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Chrome]:
    with chromium(tmp_path) as driver:
        yield driver
        log = driver.get_log("browser")  # type: ignore[no-untyped-call]
        severe = [entry for entry in log if entry["level"] == "SEVERE"]
    assert severe == []


def wait_for(browser: Chrome, section: str, text: str) -> None:
    WebDriverWait(browser, 20).until(lambda found: text in found.find_element(By.ID, section).text)


@in_chromium
def test_page_shows_what_happens_confirms_a_login_and_resets(api: Api, browser: Chrome) -> None:
    api.new_project(MARKUP, framework="vite")
    api.control.switch(not_found=403)
    api.control.fault("DELETE /projects/{idOrName}", "503")
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

    browser.find_element(By.XPATH, "//button[text()='aliases 1']").click()
    wait_for(browser, "stored", "img-src-x")
    browser.find_element(By.ID, "reset").click()
    browser.switch_to.alert.accept()
    wait_for(browser, "stored", "No aliases yet.")
    assert api.control.state()["projects"] == []
    assert browser.title == "hosting.platform emulator", "stored markup did not run"


@in_chromium
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(api: Api, browser: Chrome, width: int) -> None:
    api.new_team("acme")
    api.control.seed(
        projects=[{"name": f"a-rather-long-name-{number}", "team": "acme"} for number in range(30)]
    )
    api.control.switch(not_found=403)
    api.control.fault("DELETE /projects/{idOrName}", "503")
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    browser.get(f"{api.address}/_emulator/")
    wait_for(browser, "stored-pages", "Page 1 of 2")
    wait_for(browser, "faults", "DELETE /projects/{idOrName}")
    assert violations(browser) == []


@in_chromium
@pytest.mark.usefixtures("dev")
def test_page_tells_whose_each_object_is_and_finds_it_by_any_part(
    api: Api, browser: Chrome
) -> None:
    api.new_team("acme")
    many = [{"name": f"p{number}"} for number in range(30)]
    projects = [{"name": "caf\u00e9", "owner": DEV_EMAIL}, {"name": "web", "team": "acme"}, *many]
    api.control.seed(projects=projects)
    browser.get(f"{api.address}/_emulator/")
    wait_for(browser, "stored-pages", "Page 1 of 2, 32 in all")
    search = browser.find_element(By.ID, "search")
    for part, found in (
        ("CAF\u00c9", f"own scope of {DEV_EMAIL}"),
        ("ACME", "web"),
        (DEV_EMAIL, "caf\u00e9"),
    ):
        search.clear()
        search.send_keys(part)
        wait_for(browser, "stored", found)
        assert len(browser.find_elements(By.CSS_SELECTOR, "#stored tbody tr")) == 1
    search.send_keys("%")
    wait_for(browser, "stored", "No projects like this.")


def test_page_needs_nothing_from_outside(api: Api) -> None:
    answer = api.get("/_emulator/")
    policy = answer.headers["content-security-policy"]
    (nonce,) = set(re.findall(r"'nonce-([^']+)'", policy))
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert set(re.findall(r'<(?:script|style) nonce="([^"]+)"', answer.text)) == {nonce}
    assert len(re.findall(r"<(?:script|style)", answer.text)) == 2
    assert not re.search(r'(?:src|href|action)="(?!data:)', answer.text)
    assert nonce not in api.get("/_emulator").headers["content-security-policy"], (
        "a new one each time"
    )

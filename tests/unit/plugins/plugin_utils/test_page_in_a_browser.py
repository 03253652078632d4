# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a real browser: it runs nothing, and people can read, filter and print it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from browsing import chromium, in_chromium, violations
from outcomes import CHANGE, INVITATION, MARKUP, RESULTS, UNDECLARED, hostile, outcome, refused, result
from sampling import sampled
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from ansible_collections.hosting.platform.plugins.module_utils._text import printable
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import STATES, Presentation
from ansible_collections.hosting.platform.plugins.plugin_utils._page import page

CHECK, RUN = Presentation(True), Presentation(False)
EVERYTHING = outcome(RESULTS, undeclared=UNDECLARED)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def show(browser: Chrome, folder: Path, page: str) -> None:
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    browser.get_log("browser")
    browser.get(file.as_uri())


@contextmanager
def on_screen(
    browser: Chrome, width: int, scheme: str = "light", *, mobile: bool = False, without_scripts: bool = False
) -> Iterator[None]:
    command = browser.execute_cdp_cmd
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": mobile}
    command("Emulation.setDeviceMetricsOverride", screen)
    command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    command("Emulation.setScriptExecutionDisabled", {"value": without_scripts})
    try:
        yield
    finally:
        command("Emulation.setScriptExecutionDisabled", {"value": False})
        command("Emulation.setEmulatedMedia", {"media": ""})
        command("Emulation.clearDeviceMetricsOverride", {})


def severe(browser: Chrome) -> list[Any]:
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def names(browser: Chrome) -> list[str]:
    found = browser.find_elements(By.CSS_SELECTOR, ".entry .name bdi")
    return [name.text for name in found if name.is_displayed()]


def sides(browser: Chrome) -> set[str]:
    """The words in the cells that say which side of a change they are: for screen readers, where the table is none."""
    cells = browser.find_elements(By.CSS_SELECTOR, "td")
    return {word for cell in cells for word in re.findall(r"^(Before|After):", str(cell.get_property("innerText")))}


@in_chromium
def test_markup_stays_text_in_a_browser(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, page(hostile(), RUN))
    assert browser.title.startswith("Run report")
    shown = str(browser.find_element(By.TAG_NAME, "body").get_property("textContent"))
    assert [text for text in map(printable, MARKUP) if shown.count(text) < 6] == []
    assert browser.find_elements(By.CSS_SELECTOR, "img, svg[onload], bdi > *") == []
    assert severe(browser) == []
    browser.execute_script("document.body.insertAdjacentHTML('beforeend', arguments[0])", "".join(MARKUP[:4]))
    assert browser.title.startswith("Run report"), "the policy holds even where markup got in"
    assert severe(browser), "and says so: the page's own part above was silent for a reason"


@in_chromium
def test_filters(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, page(EVERYTHING, CHECK))
    undeclared = ["experiment", "example.com"]
    changed = ["cart", "old.example.com", "api", "dev@example.com", "web", "shop", "prod.example.com", *undeclared]
    assert names(browser) == changed, "what is unchanged is out of sight at first"
    assert browser.find_element(By.ID, "shown").text == "9 of 10 shown"
    tiles = [tile.text.replace("\n", " ") for tile in browser.find_elements(By.CLASS_NAME, "tile")]
    assert tiles == [f"{2 if state == 'undeclared' else 1} {words[0]}" for state, words in STATES.items()]
    assert sides(browser) == set(), "the columns have heads"

    kind, team = (Select(browser.find_element(By.NAME, name)) for name in ("kind", "team"))
    assert [option.text for option in team.options] == ["All teams", "acme", "media", "own scope"]
    kind.select_by_visible_text("Projects")
    assert names(browser) == ["cart", "api", "web", "shop", "experiment"]
    team.select_by_visible_text("media")
    assert names(browser) == ["cart", "experiment"]
    kind.select_by_index(0)
    team.select_by_index(0)

    unchanged = browser.find_element(By.CSS_SELECTOR, "[value=none]")
    unchanged.send_keys(Keys.SPACE)
    assert names(browser) == [*changed[:-2], "acme", *undeclared]
    for state in ("create", "delete", "undeclared"):
        browser.find_element(By.CSS_SELECTOR, f".tile.{state}").click()
    assert names(browser) == ["cart", "api", "dev@example.com", "web", "prod.example.com", "acme"]
    search = browser.find_element(By.NAME, "text")
    search.send_keys("VITE framework", Keys.ENTER)
    assert names(browser) == ["web"]
    search.send_keys("nothing such")
    assert names(browser) == []
    assert browser.find_element(By.ID, "nothing").is_displayed()
    assert severe(browser) == []


@in_chromium
def test_everything_shows_without_scripts_on_a_phone_and_on_paper(browser: Chrome, tmp_path: Path) -> None:
    command = browser.execute_cdp_cmd
    long_words = result("projects", "x" * 300, "acme", "update", before={"a": "y" * 500}, after={"a": "z " * 300})
    slugs = [result("teams", f"team-with-a-long-slug-{number}", None, "none") for number in range(5)]
    text = page(outcome([*RESULTS, long_words, *slugs], undeclared=UNDECLARED), RUN)
    shown = len(RESULTS) + 1 + len(slugs) + len(UNDECLARED)
    with on_screen(browser, 360, mobile=True, without_scripts=True):
        show(browser, tmp_path, text)
        assert len(names(browser)) == shown
        assert sides(browser) == {"Before", "After"}, "what the columns' heads say elsewhere"
        counted = browser.find_elements(By.CSS_SELECTOR, ".by-team tbody tr")[0].text
        assert counted.split("\n")[0] == "acme"
        assert "1 deleted" in counted
        assert "0 created" not in counted
        assert not browser.find_element(By.CLASS_NAME, "filters").is_displayed()
        layout = command("Page.getLayoutMetrics", {})
        assert layout["cssContentSize"]["width"] == 360, "nothing sticks out"
        command("Emulation.setEmulatedMedia", {"media": "print"})
        assert len(names(browser)) == shown


@in_chromium
@pytest.mark.parametrize("look", sampled([(390, "light"), (390, "dark"), (1280, "dark"), (1280, "light")], 2))
def test_axe_finds_nothing(browser: Chrome, tmp_path: Path, look: tuple[int, str]) -> None:
    width, scheme = look
    unseen = result("teams", "media", None, "none", not_compared=["description"])
    guards = [("limits.delete", f"1 would be deleted: {'name ' * 100}"), ("prune", "no")] * 5
    results = [*RESULTS, unseen]
    many = [result("projects", f"p{number}", "acme", "create", after={"a": "b"}) for number in range(60)]
    with on_screen(browser, width, scheme):
        for text in (
            page(outcome(results, undeclared=UNDECLARED, warnings=["w" * 300, *"abcd"], **refused(*guards)), CHECK),
            page(outcome(results, undeclared=UNDECLARED, failed=True, msg="1 failed"), RUN),
            page(outcome([INVITATION, CHANGE, *many]), Presentation(True, plan="plan.json")),
            page({"failed": True, "msg": "no"}, RUN),
        ):
            show(browser, tmp_path, text)
            assert violations(browser) == []
        is_dark = browser.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
        assert is_dark is (scheme == "dark")

# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page in a real browser: it runs nothing, and people can read, filter and print it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import chromium, in_chromium, violations
from results import (
    CHANGE,
    INVITATION,
    MARKUP,
    RESULTS,
    UNDECLARED,
    make_result,
    make_view,
    refused_result,
    result,
    result_full_of_markup,
)
from sampling import sampled
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from ansible_collections.hosting.platform.plugins.module_utils._text import escape_line
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._page import render_html
from ansible_collections.hosting.platform.plugins.plugin_utils.reports._result_view import STATES

EVERYTHING = make_result(RESULTS, undeclared=UNDECLARED)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    with chromium(tmp_path_factory.mktemp("profile")) as driver:
        yield driver


def show(browser: Chrome, folder: Path, page: str) -> None:
    file = folder / "report.html"
    file.write_text(page, encoding="utf-8")
    browser.get_log("browser")
    browser.get(file.as_uri())


def severe(browser: Chrome) -> list[Any]:
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


def names(browser: Chrome) -> list[str]:
    found = browser.find_elements(By.CSS_SELECTOR, ".entry .name > bdi")
    return [name.text for name in found if name.is_displayed()]


@in_chromium
def test_markup_stays_text_in_a_browser(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, render_html(make_view(result_full_of_markup(), is_check=False)))
    assert browser.title.startswith("Run report")
    shown = str(browser.find_element(By.TAG_NAME, "body").get_property("textContent"))
    assert [text for text in map(escape_line, MARKUP) if shown.count(text) < 6] == []
    assert browser.find_elements(By.CSS_SELECTOR, "img, svg[onload], bdi > *") == []
    assert severe(browser) == []
    browser.execute_script(
        "document.body.insertAdjacentHTML('beforeend', arguments[0])", "".join(MARKUP[:4])
    )
    assert browser.title.startswith("Run report"), "the policy holds even where markup got in"
    assert severe(browser), "and says so: the page's own part above was silent for a reason"


@in_chromium
def test_filters(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, render_html(make_view(EVERYTHING)))
    undeclared = ["example.com", "experiment"]
    changed = ["cart", "shop", "web", "dev@example.com", "old.example.com", *undeclared]
    assert names(browser) == changed, "what is unchanged is out of sight at first"
    assert browser.find_element(By.ID, "shown").text == "7 of 8 shown"
    tiles = [tile.text.replace("\n", " ") for tile in browser.find_elements(By.CLASS_NAME, "tile")]
    assert tiles == [
        f"{2 if state == 'undeclared' else 1} {words[0]}"
        for state, words in STATES.items()
        if state != "skip"
    ]

    kind, team = (Select(browser.find_element(By.NAME, name)) for name in ("kind", "team"))
    assert [option.text for option in team.options] == ["All teams", "acme", "media", "own scope"]
    kind.select_by_visible_text("Project")
    assert names(browser) == ["cart", "shop", "web", "experiment"]
    team.select_by_visible_text("media")
    assert names(browser) == ["cart", "experiment"]
    kind.select_by_index(0)
    team.select_by_index(0)

    unchanged = browser.find_element(By.CSS_SELECTOR, "[value=none]")
    unchanged.send_keys(Keys.SPACE)
    assert names(browser) == [*changed[:-2], "acme", *undeclared]
    for state in ("create", "delete", "undeclared"):
        browser.find_element(By.CSS_SELECTOR, f".tile.{state}").click()
    assert names(browser) == ["cart", "web", "dev@example.com", "acme"]
    search = browser.find_element(By.NAME, "text")
    search.send_keys("VITE framework", Keys.ENTER)
    assert names(browser) == ["web"]
    search.send_keys("nothing such")
    assert names(browser) == []
    assert browser.find_element(By.ID, "nothing").is_displayed()
    assert severe(browser) == []


@in_chromium
@pytest.mark.parametrize("more", [{}, {"is_check": False}, refused_result(("prune", "no " * 30))])
def test_first_entry_stands_on_the_first_screen_of_a_phone(
    browser: Chrome, tmp_path: Path, more: Any
) -> None:
    is_check = more.pop("is_check", True)
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", ON_A_PHONE)
    many = [{**CHANGE, "name": f"p{number}"} for number in range(100)]
    given = make_result([*RESULTS, *many], undeclared=UNDECLARED, **more)
    show(browser, tmp_path, render_html(make_view(given, is_check=is_check)))
    first = browser.find_element(By.CLASS_NAME, "entry")
    assert first.rect["y"] + first.rect["height"] <= 844
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


ON_A_PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
LINES_OF = """
const range = document.createRange();
range.selectNodeContents(arguments[0]);
return new Set(Array.from(range.getClientRects(), (box) => box.top)).size;
"""


@in_chromium
def test_names_are_not_broken_where_a_line_has_room(browser: Chrome, tmp_path: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", ON_A_PHONE)
    name = "www.check-out.storefront.example"
    team = "storefront-and-checkout"
    along = [{"kind": "aliases", "name": name, "team": team}]
    rows = [
        result("aliases", name, team, "create"),
        result("projects", name, team, "delete", along=along),
    ]
    show(browser, tmp_path, render_html(make_view(make_result(rows), fail_on_drift=True)))
    shown = browser.find_elements(By.CSS_SELECTOR, ".head bdi, .along bdi")
    assert [element.text for element in shown] == [name, team, name, team, name]
    assert [browser.execute_script(LINES_OF, element) for element in shown] == [1] * 5
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@in_chromium
@pytest.mark.parametrize("width", [390, 1280])
def test_a_drift_report_shows_which_side_is_live(
    browser: Chrome, tmp_path: Path, width: int
) -> None:
    screen = {"width": width, "height": 844, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    show(browser, tmp_path, render_html(make_view(make_result([CHANGE]), fail_on_drift=True)))
    words = browser.find_elements(By.CSS_SELECTOR, ".side, .entry thead th + th")
    seen = [word.text for word in words if word.is_displayed() and word.rect["width"] > 20]
    assert seen == (["Live:", "Declared:"] * 2 if width < 500 else ["Live", "Declared"])
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@in_chromium
@pytest.mark.parametrize(
    "look", sampled([(390, "dark"), (390, "light"), (1280, "dark"), (1280, "light")], 4)
)
def test_axe_finds_nothing(browser: Chrome, tmp_path: Path, look: tuple[int, str]) -> None:
    width, scheme = look
    unseen = result("teams", "media", None, "none", not_compared=["description"])
    guards = [("limits.delete", f"1 would be deleted: {'name ' * 100}"), ("prune", "no")] * 5
    results = [*RESULTS, unseen]
    many = [
        result("projects", f"p{number}", "acme", "create", after={"a": "b"}) for number in range(60)
    ]
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    everything = make_result(
        results, undeclared=UNDECLARED, warnings=["w" * 300, *"abcd"], **refused_result(*guards)
    )
    failed = make_result(results, undeclared=UNDECLARED, failed=True, msg="1 failed")
    for view in (
        make_view(everything),
        make_view(failed, is_check=False),
        make_view(make_result([INVITATION, CHANGE, *many]), plan="plan.json"),
        make_view({"failed": True, "msg": "no"}, is_check=False),
        make_view(everything, fail_on_drift=True),
    ):
        show(browser, tmp_path, render_html(view))
        assert violations(browser) == []
    is_dark = browser.execute_script("return matchMedia('(prefers-color-scheme: dark)').matches")
    assert is_dark is (scheme == "dark")

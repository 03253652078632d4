# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The report: what it says, that data stays data, and how it works in a real browser."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from browsing import chromium, in_chromium
from outcomes import RESULTS, UNDECLARED, outcome, result
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

from ansible_collections.hosting.platform.plugins.filter.blueprint_report import blueprint_report
from ansible_collections.hosting.platform.plugins.module_utils._text import printable
from ansible_collections.hosting.platform.plugins.plugin_utils._outcome import STATES

MARKUP = [
    "<script>document.title = 'run'</script>",
    '"><img src=x onerror="document.title=\'run\'">',
    "'><svg onload=\"document.title='run'\">",
    "</style></title></script><script>document.title = 'run'</script>",
    "javascript:document.title='run'",
    "&lt;b&gt; &amp; &#60;",
    "{{ 7 * 7 }} {% raw %}",
    "\u202egnp.exe \u05e9\u05dc\u05d5\u05dd",
    "<!-- --><bdi>",
]


def hostile() -> dict[str, Any]:
    """Markup wherever the API, the user or a failure may put text."""
    results = [
        result("projects", text, text, action, before={text: text}, after={text: text}, source=text, **more)
        for text in MARKUP
        for action, more in (("update", {}), ("create", {"failed": True, "msg": text}))
    ]
    undeclared = [{"kind": "aliases", "name": text, "team": text, "protected": True} for text in MARKUP]
    return {**outcome(results, warnings=MARKUP), "undeclared": undeclared, "failed": True, "msg": MARKUP[0]}


class _Elements(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text.append(data)


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
    found = browser.find_elements(By.CSS_SELECTOR, ".entry h3")
    return [name.text for name in found if name.is_displayed()]


def sides(browser: Chrome) -> set[str]:
    """The words in the cells that say which side of a change they are: for screen readers, where the table is none."""
    cells = browser.find_elements(By.CSS_SELECTOR, "td")
    return {word for cell in cells for word in re.findall(r"^(Before|After):", str(cell.get_property("innerText")))}


def test_report_says_what_happened_where_and_when():
    page = blueprint_report(outcome(RESULTS, failed=True, msg="1 of 7 entries failed"), time="2026-01-02 03:04:05 UTC")
    for words in ("<title>Run report", "https://api.example.com/v1", "2026-01-02 03:04:05 UTC", ">12<"):
        assert words in page
    assert "1 of 7 entries failed, 4 changes were made." in page
    assert "secret" not in page
    assert "user:" not in page


@pytest.mark.parametrize(
    ("given", "check_mode", "verdict"),
    [
        (outcome(RESULTS[:1]), True, "The platform is as the blueprint declares it."),
        (outcome(RESULTS[:1]), False, "Nothing had to be changed."),
        (outcome(RESULTS[2:4]), True, "2 of 2 entries differ from the platform."),
        (outcome(RESULTS[:3]), True, "1 of 3 entries differs from the platform, and 1 invitation would be sent."),
        (outcome(RESULTS[:2]), True, "The platform is as the blueprint declares it, and 1 invitation would be sent."),
        (outcome(RESULTS[:3]), False, "2 changes were made."),
        (outcome(RESULTS), True, "1 of 7 entries failed, 3 differ from the platform."),
        (
            outcome(RESULTS[2:4], failed=True, msg="prune: no"),
            True,
            "Refused: nothing was written. 2 of 2 entries differ",
        ),
        (
            outcome(RESULTS[2:4], failed=True, msg="prune: no"),
            False,
            "Refused: nothing was written. 2 of 2 entries differ",
        ),
        ({"failed": True, "msg": "prune: refused"}, True, "prune: refused"),
        ({}, False, "The run failed."),
        (outcome([]), False, "Nothing had to be changed."),
    ],
)
def test_verdict(given, check_mode, verdict):
    page = blueprint_report(given, check_mode=check_mode)
    assert verdict in re.sub(r"\s+", " ", page)
    assert ("<title>Drift report" in page) is check_mode


def test_policy_allows_the_page_s_own_style_and_script_and_nothing_else():
    page = blueprint_report(outcome(RESULTS))
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert len(re.findall(r"'sha256-[A-Za-z0-9+/=]{44}'", policy)) == 2
    assert not re.search(r'\b(?:src|href|action)="(?!data:,|#)', page)
    assert not re.search(r"url\(|@import|\bstyle=|\bon\w+=", page)


def test_markup_stays_text():
    tame, wild = (_Elements(blueprint_report(given)) for given in (outcome(RESULTS, warnings=["w"]), hostile()))
    assert set(wild.tags) <= set(tame.tags)
    assert {name for name, _value in wild.attributes} <= {name for name, _value in tame.attributes}
    for text in map(printable, MARKUP):
        assert wild.text.count(text) >= 6, text


def test_what_cannot_be_seen_is_shown_escaped():
    name, command = "\u202egnp.exe\x1b[2J", "make\nnpm\u200b run\u2066 build"
    given = outcome([result("projects", name, name, "create", after={"build_command": command}, source=name)])
    page = blueprint_report(given | {"warnings": [name], "failed": True, "msg": f"{name}\n{name}"})
    assert page.count("\\u202egnp.exe\\u001b[2J") >= 6
    assert "make\nnpm\\u200b run\\u2066 build" in page, "the lines of a value stay lines"
    assert [mark for mark in "\u202e\x1b\u200b\u2066" if mark in page] == []


@pytest.mark.parametrize(
    ("check_mode", "more", "sides"),
    [
        (True, {}, ["Live", "Declared"]),
        (False, {}, ["Before", "After"]),
        (False, {"failed": True, "msg": "no"}, ["Live", "Declared"]),
    ],
)
def test_sides_are_called_what_they_are(check_mode, more, sides):
    page = blueprint_report(outcome(RESULTS[2:3], **more), check_mode=check_mode)
    assert re.findall(r'<th scope="col">(\w+)</th>', page) == ["Field", *sides]


def test_what_comes_or_goes_is_shown_by_what_it_holds():
    deleted = blueprint_report(outcome(RESULTS[-1:]), check_mode=True)
    assert re.findall(r'<th scope="row"><bdi>(\w+)', deleted) == ["alias", "parameters"]
    assert "empty" not in re.findall("<main>.*</main>", deleted, re.DOTALL)[0]
    changed = blueprint_report(outcome(RESULTS[2:3]), check_mode=True)
    assert changed.count("<i>empty</i>") == 2


def test_refusal_stands_on_top_of_the_whole_plan():
    refusal = "prune: 2 of 3 would be deleted."
    page = blueprint_report(outcome([*RESULTS[:4], *RESULTS[5:]], failed=True, msg=refusal), check_mode=True)
    assert page.index("Refused: nothing was written.") < page.index(refusal) < page.index('class="entry ')
    assert page.count('class="entry ') == 6 + len(UNDECLARED)


def test_report_says_why_where_and_what_is_undeclared():
    text = re.sub(r"<[^>]+>|\s+", " ", blueprint_report(outcome(RESULTS), check_mode=True))
    words = re.sub(" +", " ", text)
    assert "Skipped prod.example.com of team acme It is protected and never deleted." in words
    assert "declared in teams.yml[0]" in words
    assert "Project experiment of team media Domain example.com of team own scope It is protected" in words
    dependent = outcome([result("aliases", "a.example.com", "acme", "skip", reason="dependency")])
    assert "An entry that it depends on failed." in blueprint_report(dependent)


def test_teams_are_counted():
    page = blueprint_report(outcome(RESULTS), check_mode=True)
    (table,) = re.findall(r'class="by-team".*?</table>', page, re.DOTALL)
    rows = [re.findall(r"<t[hd][^>]*>(?:<bdi>)?([^<]*)", row) for row in table.split("<tr>")[1:]]
    assert rows == [
        ["Team", "Failed", "To create", "To change", "To delete", "To invite", "Skipped", "Unchanged"],
        ["acme", "0", "0", "1", "1", "1", "1", "1"],
        ["media", "1", "0", "0", "0", "0", "0", "0"],
        ["own scope", "0", "1", "0", "0", "0", "0", "0"],
    ]
    assert 'class="by-team"' not in blueprint_report(outcome(RESULTS[:2])), "one team is the whole"


def test_kind_that_the_page_does_not_know_is_shown_too():
    page = blueprint_report(outcome([result("mail_routes", "post", "acme", "create", after={"a": "b"})]))
    assert ">mail_routes <" in page
    assert "<bdi>post</bdi>" in page


def test_thousand_results_are_rendered_at_once():
    many = [result("projects", f"p{number}", "acme", "update", after={"framework": "x"}) for number in range(1000)]
    start = time.process_time()
    page = blueprint_report(outcome(many))
    assert time.process_time() - start < 2
    assert page.count('class="entry update"') == 1000


@in_chromium
def test_markup_stays_text_in_a_browser(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, blueprint_report(hostile()))
    assert browser.title.startswith("Run report")
    shown = browser.find_element(By.TAG_NAME, "body").get_property("textContent")
    assert [text for text in map(printable, MARKUP) if text not in str(shown)] == []
    assert browser.find_elements(By.CSS_SELECTOR, "img, svg[onload], bdi script") == []
    assert severe(browser) == []
    browser.execute_script("document.body.insertAdjacentHTML('beforeend', arguments[0])", "".join(MARKUP[:4]))
    assert browser.title.startswith("Run report"), "the policy holds even where markup got in"
    assert severe(browser), "and says so: the page's own part above was silent for a reason"


@in_chromium
def test_filters(browser: Chrome, tmp_path: Path) -> None:
    show(browser, tmp_path, blueprint_report(outcome(RESULTS), check_mode=True))
    undeclared = ["experiment", "example.com"]
    changed = ["dev@example.com", "web", "shop", "cart", "prod.example.com", "old.example.com", *undeclared]
    assert names(browser) == changed, "what is unchanged is out of sight at first"
    assert browser.find_element(By.ID, "shown").text == "8 of 9 shown"
    tiles = [tile.text.replace("\n", " ") for tile in browser.find_elements(By.CLASS_NAME, "tile")]
    assert tiles == [*(f"1 {words[0]}" for words in STATES.values()), "2 Undeclared"]
    assert sides(browser) == set(), "the columns have heads"

    kind, team = (Select(browser.find_element(By.NAME, name)) for name in ("kind", "team"))
    assert [option.text for option in team.options] == ["All teams", "acme", "media", "own scope"]
    kind.select_by_visible_text("Projects")
    assert names(browser) == ["web", "shop", "cart", "experiment"]
    team.select_by_visible_text("media")
    assert names(browser) == ["cart", "experiment"]
    kind.select_by_index(0)
    team.select_by_index(0)

    unchanged = browser.find_element(By.CSS_SELECTOR, "[value=none]")
    unchanged.send_keys(Keys.SPACE)
    assert names(browser) == ["acme", *changed]
    for state in ("create", "delete", "undeclared"):
        browser.find_element(By.CSS_SELECTOR, f".tile.{state}").click()
    assert names(browser) == ["acme", "dev@example.com", "web", "cart", "prod.example.com"]
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
    phone = {"width": 360, "height": 700, "deviceScaleFactor": 1, "mobile": True}
    long_words = result("projects", "x" * 300, "acme", "update", before={"a": "y" * 500}, after={"a": "z " * 300})
    slugs = [result("teams", f"team-with-a-long-slug-{number}", None, "none") for number in range(5)]
    page = blueprint_report(outcome([*RESULTS, long_words, *slugs]))
    shown = len(RESULTS) + 1 + len(slugs) + len(UNDECLARED)
    command("Emulation.setScriptExecutionDisabled", {"value": True})
    command("Emulation.setDeviceMetricsOverride", phone)
    try:
        show(browser, tmp_path, page)
        assert len(names(browser)) == shown
        assert sides(browser) == {"Before", "After"}, "what the columns' heads say elsewhere"
        assert not browser.find_element(By.CLASS_NAME, "filters").is_displayed()
        layout = command("Page.getLayoutMetrics", {})
        assert layout["cssContentSize"]["width"] == 360, "nothing sticks out"
        command("Emulation.setEmulatedMedia", {"media": "print"})
        assert len(names(browser)) == shown
    finally:
        command("Emulation.setEmulatedMedia", {"media": ""})
        command("Emulation.clearDeviceMetricsOverride", {})
        command("Emulation.setScriptExecutionDisabled", {"value": False})


CONTRAST = """
const luminance = (color) => {
  const [r, g, b] = color.match(/[\\d.]+/g).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  const color = getComputedStyle(element).backgroundColor;
  return /, 0\\)$/.test(color) && element.parentElement ? ground(element.parentElement) : color;
};
return [...document.querySelectorAll("body *")].filter((element) =>
  [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) && element.offsetParent &&
  !element.closest("option, script")).map((element) => {
    const pair = [getComputedStyle(element).color, ground(element)].map(luminance).sort((a, b) => b - a);
    return [(pair[0] + 0.05) / (pair[1] + 0.05), element.textContent.trim()];
  }).filter(([ratio]) => ratio < 4.5);
"""


@in_chromium
@pytest.mark.parametrize("width", [320, 360, 390, 430, 768, 1024, 1440])
def test_no_tile_stands_alone(browser: Chrome, tmp_path: Path, width: int) -> None:
    screen = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    try:
        show(browser, tmp_path, blueprint_report(outcome(RESULTS)))
        rows = Counter(tile.rect["y"] for tile in browser.find_elements(By.CLASS_NAME, "tile"))
        assert len(set(rows.values())) == 1, "each row of tiles has as many as the others"
        words = browser.find_elements(By.CSS_SELECTOR, ".tile span")
        assert [word.text for word in words if word.rect["height"] > 30] == [], "no word breaks"
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@in_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_people_can_read_and_reach_it(browser: Chrome, tmp_path: Path, scheme: str) -> None:
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    show(browser, tmp_path, blueprint_report(outcome(RESULTS, failed=True, msg="m", warnings=["w"])))
    run = browser.execute_script
    assert run("return matchMedia('(prefers-color-scheme: dark)').matches") is (scheme == "dark")
    assert run(CONTRAST) == [], "every text contrasts with its ground by 4.5 to 1"
    for landmark in ("header", "main", "footer", "[role=search]", "h1"):
        assert len(browser.find_elements(By.CSS_SELECTOR, landmark)) == 1, landmark
    unlabelled = "return [...document.querySelectorAll('input, select')].filter((field) => !field.labels.length).length"
    assert run(unlabelled) == 0
    reached = []
    for _key in range(13):
        browser.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(browser.switch_to.active_element.get_attribute("name") or "link")
    assert reached[:12] == ["link", *["state"] * 8, "kind", "team", "text"]

# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A property of every platform and of every way to write a guard, judged by what the service holds
afterwards: what somebody meant to keep is there, or a word was said before it went.
"""

from itertools import chain, product
from random import Random
from typing import Any

from blueprints import converge_or_result
from hypothesis import event, given, settings
from hypothesis import strategies as st
from in_process import InProcess
from sampling import examples
from write_effects import Snapshot, is_match

TEAMS = ["acme", "zeta"]
NAMES = [
    "prod-api",
    "prod-1",
    "prod-2",
    "prod-12",
    "shop",
    "shop-a",
    "shop-db",
    "Blog",
    "caf\u00e9",
    "acme",
]
LETTERS = "aepx"

# How a project of a team may be named; ``start`` is the beginning of its name.
FORMS: list[Any] = [
    "{name}",
    "{team}/{name}",
    "*/{name}",
    "{start}*",
    "{team}*/{start}*",
    {"kind": "projects", "team": "{team}", "name": "{name}"},
    {"name": "{name}"},
    {"team": "{team}"},
]


def selector_of(form: Any, team: str, name: str) -> Any:
    if isinstance(form, dict):
        return {key: selector_of(text, team, name) for key, text in form.items()}
    return form.format(team=team, name=name, start=name[:3])


def mistaken_texts(text: str, at: int) -> dict[str, str]:
    """A text with each mistake; ``at``: where it is made."""
    letter = LETTERS[at % len(LETTERS)]
    return {
        "swap": text[:at] + text[at : at + 2][::-1] + text[at + 2 :],
        "less": text[:at] + text[at + 1 :],
        "more": text[:at] + letter + text[at:],
        "other": text[:at] + letter + text[at + 1 :],
        "case": text.swapcase(),
        "separator": text.replace("-", "_"),
        "no separator": text.replace("-", ""),
        "space": f"{text} ",
        "lines": f"{text}\n{text}",
        "assignment": f"name={text}",
        "digit": text.translate(str.maketrans("12", "23")),
        "list": f'["{text}"]',
        "team alone": TEAMS[at % len(TEAMS)],
        "stale": f"{text}-until-2019",
    }


class GuardCase:
    """A prune of projects, and selectors that are meant to keep some of them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        places = list(product(TEAMS, NAMES))
        self.projects = random.sample(places, random.randint(3, 9))
        self.declared = random.sample(self.projects, random.randint(0, 3))
        self.option = random.choice(["protect", "protect", "ignore"])
        others = [place for place in self.projects if place not in self.declared]
        # What is meant, and how it is written.
        self.meant = {
            place: self._selector(*place)
            for place in random.sample(others, min(len(others), random.randint(1, 2)))
        }

    def _selector(self, team: str, name: str) -> Any:
        selector = selector_of(self.random.choice(FORMS), team, name)
        if self.random.random() < 0.2:
            return selector
        if isinstance(selector, str):
            return self._mistaken(selector)
        key = self.random.choice([key for key in selector if key != "kind"])
        return {**selector, key: self._mistaken(selector[key])}

    def _mistaken(self, text: str) -> str:
        texts = mistaken_texts(text, self.random.randrange(len(text)))
        mistake = self.random.choice(list(texts))
        event(mistake)
        return texts[mistake]

    @property
    def blueprint(self) -> dict[str, Any]:
        aliases: list[Any] = []
        return {
            "teams": [{"slug": team} for team in TEAMS],
            "projects": [{"team": team, "name": name} for team, name in self.declared],
            "aliases": aliases,
        }


def stored_places(emulator: InProcess) -> set[tuple[str, str]]:
    state = Snapshot(emulator)
    return {
        (state.slugs[project["teamId"]], project["name"])
        for project in state.objects["projects"].values()
    }


@settings(examples(150))
@given(random=st.randoms(use_true_random=False))
def test_a_misspelled_guard_never_lets_an_object_go_without_a_word(in_process, random):
    case = GuardCase(random)
    in_process.reset()
    in_process.seed(
        teams=[{"slug": team} for team in TEAMS],
        projects=[{"team": team, "name": name} for team, name in case.projects],
    )
    start = Snapshot(in_process)
    plans: list[dict[str, Any]] = []
    guard: dict[str, Any] = {case.option: list(case.meant.values())}
    run = converge_or_result(
        in_process.base_url,
        case.blueprint,
        prune=["projects"],
        prune_limit=100,
        planned=plans.append,
        **guard,
    )
    there = stored_places(in_process)
    if "msg" in run:
        event("refused" if run.get("refused") else "invalid")
        assert there == {*case.projects}
        return
    warnings = chain.from_iterable(plan["warnings"] for plan in plans)
    words = [line for line in warnings if line.startswith(case.option)]
    guards = chain.from_iterable(plan["guards"][case.option] for plan in plans)
    words += [f"{guard['selector']} matches nothing" for guard in guards if not guard["matches"]]
    for place, selector in case.meant.items():
        has_slip = not is_match(selector, "projects", place[1], {place[0]})
        if place in there:
            continue
        event("gone with a word" if words else "matches another")
        assert has_slip, f"{selector} matches {place}, which is gone"
        assert words or matches_anything(selector, start, case), f"{selector}: {place} is gone"


@settings(examples(50))
@given(random=st.randoms(use_true_random=False))
def test_guards_that_match_something_say_nothing(in_process, random):
    """Also of names that are near to what is deleted."""
    case = GuardCase(random)
    in_process.reset()
    in_process.seed(
        teams=[{"slug": team} for team in TEAMS],
        projects=[{"team": team, "name": name} for team, name in case.projects],
    )
    right = [selector_of(random.choice(FORMS), *place) for place in case.meant]
    run = converge_or_result(
        in_process.base_url,
        case.blueprint,
        prune=["projects"],
        prune_limit=100,
        protect=right,
    )
    assert "msg" not in run
    alone = {team for team, name in case.meant if name in TEAMS}
    assert alone or not [line for line in run["warnings"] if line.startswith("protect")]


def matches_anything(selector: Any, start: Snapshot, case: GuardCase) -> bool:
    """True if a selector matches another object, or an entry: then it may be meant."""
    for kind, objects in start.objects.items():
        if any(start.has(kind, key, [selector]) for key in objects):
            return True
    return any(is_match(selector, "projects", name, {team}) for team, name in case.declared)

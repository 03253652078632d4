# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is no host name or email is refused before the first request; what looks odd is taken."""

import pytest
from acme import ACME, WEB
from blueprints import converge
from modules import perform

from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.reading import (
    read_blueprint,
)
from ansible_collections.hosting.platform.plugins.module_utils._converge.blueprint.selectors import (
    read_selectors,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import PlatformError
from ansible_collections.hosting.platform.plugins.module_utils._model.name_forms import (
    email_problem,
    host_pattern_problem,
    host_problem,
)

# What is no host name, and the host that was meant.
WRONG_HOSTS = {
    "www.example.com/": "www.example.com",
    "www.example.com:443": "www.example.com",
    "user@www.example.com": "www.example.com",
    "https://shop.example.com/": "shop.example.com",
    "https://user:secret@shop.example.com:8443/cart?item=1#top": "shop.example.com",
    "HTTP://www.example.com": "www.example.com",
    "//www.example.com.": "www.example.com.",
    " www.example.com": "www.example.com",
    "www.example.com\n": "www.example.com",
    "www.example.com\u00a0": "www.example.com",
    "www.example.com\x00": "",
    "https://b\u00fccher.example.com/": "b\u00fccher.example.com",
    "192.0.2.1:8080": "192.0.2.1",
    "www.example.com?": "www.example.com",
    "www..example.com": "",
    "www\u3002\u3002example.com": "",
    ".example.com": "",
    "www.example.com..": "",
    "www example.com": "",
    "www\texample.com": "",
    "www\u2003example.com": "",
    "www\x1bexample.com": "",
    "www\x85example.com": "",
    "https://www.example.com/index.html": "",
    "www.example.com/shop.example.com": "",
    "www.example.com, shop.example.com/": "",
    "localhost:8080": "",
    "http://[::1]/": "",
    "http://": "",
    ".": "",
    "..": "",
    "\u3002": "",
    "/": "",
}
# What looks odd, and is a name that services have.
RIGHT_HOSTS = [
    "www.example.com",
    "www.example.com.",
    "WWW.Example.COM",
    "*.example.com",
    "_acme-challenge.example.com",
    "_dmarc.b\u00fccher.example.com",
    "xn--bcher-kva.example.com",
    "b\u00fccher\u3002example\uff0ecom\uff61",
    "\u2615.example",
    "localhost",
    "web",
    "-",
    "1",
    "192.0.2.1",
    "a-.example.com",
    "sub.sub.sub.sub.example.co.uk",
    f"{'a' * 63}.example.com",
    f"{'a' * 64}.example.com",
    "shop!.example.com",
    "host\u200d.example.com",
]
WRONG_EMAILS = [
    "ada",
    "@",
    "ada@",
    "@example.com",
    "ada@@example.com",
    "ada@lovelace@example.com",
    "ada @example.com",
    " ada@example.com",
    "ada@example.com\n",
    "Ada <ada@example.com>",
    "ada@example.com, bob@example.com",
]
RIGHT_EMAILS = [
    "a@b",
    "Ada+list@Example.com",
    "b\u00fccher@b\u00fccher.example",
    '"a"@[192.0.2.1]',
    "a..b@c",
]
HOST_OPTIONS = [
    ("alias", "alias", {"project": "web"}),
    ("alias", "alias", {"state": "absent"}),
    ("alias_info", "alias", {}),
    ("alias_info", "domain", {}),
    ("project", "alias", {"name": "web"}),
    ("project", "alias", {"name": "web", "state": "absent"}),
    ("project", "alias", {"name": "web", "state": "exists"}),
    ("domain", "name", {}),
    ("domain", "name", {"state": "absent"}),
    ("domain_info", "name", {}),
]
LOGIN = {"verification_token": "verification-token", "wait": False}
EMAIL_OPTIONS = [
    ("team_member", {"team": "acme"}),
    ("login_request", {"token_name": "ci"}),
    ("login_verification", LOGIN),
]


@pytest.mark.parametrize(("name", "meant"), WRONG_HOSTS.items())
def test_a_wrong_host_name_is_refused_with_the_host_that_was_meant(name, meant):
    advice = f" Write {meant}." if meant else ""
    assert host_problem(name) == f"must be a host name.{advice}"


@pytest.mark.parametrize("name", RIGHT_HOSTS)
def test_a_name_that_looks_odd_is_a_host_name(name):
    assert host_problem(name) == ""
    assert host_pattern_problem(name) == ""


@pytest.mark.parametrize("pattern", ["ww?.example.com", "*", "?", "[a-z]*.example.com", "[!x].*"])
def test_a_pattern_for_hosts_may_hold_wildcards(pattern):
    assert host_pattern_problem(pattern) == ""


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("https://ww?.example.com/*", "ww?.example.com"),
        ("*.example.com:*", "*.example.com"),
        ("acme/*", ""),
    ],
)
def test_a_pattern_that_matches_no_host_is_refused(pattern, meant):
    advice = f" Write {meant}." if meant else ""
    assert host_pattern_problem(pattern) == f"must be a host name.{advice}"


@pytest.mark.parametrize(("module", "option", "others"), HOST_OPTIONS)
def test_every_host_is_checked_before_the_first_request(emulator, module, option, others):
    emulator.forget_requests()
    result = perform(module, emulator.base_url, **{option: "https://example.com"}, **others)
    assert result["failed"] is True
    assert result["msg"] == f"{option} must be a host name. Write example.com."
    assert emulator.requests() == []


@pytest.mark.parametrize("email", WRONG_EMAILS)
def test_a_wrong_email_is_refused(email):
    assert email_problem(email) == "must be an email address, such as ada@example.com."


@pytest.mark.parametrize("email", RIGHT_EMAILS)
def test_an_email_that_looks_odd_is_one(email):
    assert email_problem(email) == ""


@pytest.mark.parametrize(("module", "others"), EMAIL_OPTIONS)
def test_every_email_is_checked_before_the_first_request(emulator, module, others):
    emulator.forget_requests()
    result = perform(module, emulator.base_url, email="ada.example.com", **others)
    assert result["msg"] == "email must be an email address, such as ada@example.com."
    assert emulator.requests() == []


def test_an_empty_text_clears_the_own_alias_of_a_project(emulator):
    emulator.seed(teams=[ACME], projects=[{**WEB, "alias": "shop.example.com"}])
    result = perform("project", emulator.base_url, **WEB, alias="")
    assert (result["changed"], result["project"]["alias"] or "") == (True, "")


ENTRIES = {
    "aliases": [
        {"alias": "www.example.com/", "project": "web"},
        {"alias": "www.example.com:80", "state": "absent"},
    ],
    "projects": [{"name": "web", "alias": "//a.example.com", "aliases": ["www..example.com"]}],
    "domains": [{"name": "example.com#", "state": "absent"}],
    "team_members": [{"email": "ada", "team": "acme"}],
}


def test_entries_are_checked_by_the_same_rule():
    with pytest.raises(PlatformError) as failure:
        read_blueprint(ENTRIES)
    assert sorted(str(failure.value).split("\n")) == [
        "aliases[0] www.example.com/: alias must be a host name. Write www.example.com.",
        "aliases[1] www.example.com:80: alias must be a host name. Write www.example.com.",
        "domains[0] example.com#: name must be a host name. Write example.com.",
        "projects[0] web: alias must be a host name. Write a.example.com.",
        "projects[0].aliases[0] www..example.com: alias must be a host name.",
        "team_members[0] ada: email must be an email address, such as ada@example.com.",
    ]


@pytest.mark.parametrize("kind", ["aliases", "domains", ["domains", "aliases"]])
def test_a_selector_of_hosts_alone_names_a_host(kind):
    read_selectors({"protect": [{"kind": kind, "name": "ww?.b\u00fccher.*"}]})
    with pytest.raises(PlatformError) as failure:
        read_selectors({"protect": ["web", {"kind": kind, "name": "https://ww?.example.com/"}]})
    assert str(failure.value) == "protect[1].name must be a host name. Write ww?.example.com."


@pytest.mark.parametrize(
    "selector",
    [
        "acme/www.*",
        {"name": "web:1"},
        {"kind": ["aliases", "projects"], "name": "web:1"},
        {"kind": "team_members", "name": "*@example.com"},
        {"kind": "aliases", "team": "a:b"},
    ],
)
def test_a_selector_of_other_kinds_names_anything(selector):
    assert read_selectors({"protect": [selector]})


STORED = {
    "projects": [{**WEB, "alias": "https://web.example.com/"}],
    "aliases": [
        {"project": "web", "team": "acme", "alias": "www.example.com:443"},
        {"project": "web", "team": "acme", "alias": "www.example.com"},
    ],
    "domains": [{"name": "example.com/", "team": "acme"}, {"name": "example.com", "team": "acme"}],
}


def test_an_object_that_no_entry_could_name_is_left_out_of_an_export_with_a_warning(emulator):
    emulator.seed(teams=[ACME], **STORED)
    result = perform("blueprint_info", emulator.base_url, kinds=list(STORED), teams=["acme"])
    assert result["blueprint"] == {
        "projects": [WEB],
        "aliases": [{"alias": "www.example.com", "project": "web", "team": "acme"}],
        "domains": [{"name": "example.com", "team": "acme"}],
    }
    assert sorted(result["warnings"]) == [
        "No entry can have the alias https://web.example.com/, so it is left out (project web of"
        " acme).",
        "No entry can have the alias www.example.com:443, so it is left out (alias"
        " www.example.com:443 of acme).",
        "No entry can have the name example.com/, so it is left out (domain example.com/ of acme).",
    ]


def test_an_object_that_no_entry_could_name_is_neither_pruned_nor_undeclared(emulator):
    emulator.seed(teams=[ACME], **STORED)
    blueprint = {"projects": [WEB], "aliases": [], "domains": []}
    result = converge(emulator.base_url, blueprint, prune=["aliases", "domains"], prune_limit=100)
    assert [row["name"] for row in result["results"] if row["action"] == "delete"] == [
        "www.example.com",
        "example.com",
    ]
    assert result["undeclared"] == []
    again = converge(emulator.base_url, blueprint, fail_on_undeclared=True)
    assert (again["changed"], again["undeclared"]) == (False, [])
    left = {alias["alias"] for alias in emulator.state()["aliases"]}
    assert left == {"https://web.example.com/", "www.example.com:443"}
    assert [domain["name"] for domain in emulator.state()["domains"]] == ["example.com/"]

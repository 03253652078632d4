# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of hosts, compared in one form."""

from __future__ import annotations

import pytest
from acme import ACME, WEB, WWW
from blueprints import converge
from client import run, run_both
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption
from ansible_collections.hosting.platform.plugins.module_utils._model.hosts import host_form, is_same_host
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.alias import Alias
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.domain import Domain
from ansible_collections.hosting.platform.plugins.module_utils._model.kinds.project import Project

BUECHER = "bücher.example.com"
ENCODED = "xn--bcher-kva.example.com"


@pytest.mark.parametrize(
    "name",
    [
        BUECHER,
        ENCODED,
        "BÜCHER.Example.COM",
        "XN--BCHER-KVA.example.com.",
        "bu\u0308cher.example.com",
        "bücher。example。com。",
        "\uff42ücher.example.com",
    ],
)
def test_one_host_has_one_form_however_it_is_written(name):
    assert host_form(name) == ENCODED
    assert is_same_host(name, BUECHER)


@pytest.mark.parametrize(
    ("one", "other"),
    [(BUECHER, "bucher.example.com"), ("straße.de", "strasse.de"), ("", ""), (None, ""), ("a.com", "a.com.."), (1, 2)],
)
def test_other_hosts_are_others(one, other):
    assert not is_same_host(one, other)


@pytest.mark.parametrize(("name", "encoded"), [("💩.la", "xn--ls8h.la"), ("a_ü.de", "xn--a_-yka.de")])
def test_labels_that_registries_refuse_today_have_a_form_too(name, encoded):
    assert host_form(name) == host_form(encoded) == encoded


@given(st.text() | st.text("a\u00fc.\u3002"))
def test_no_text_is_without_a_form_and_the_form_of_a_form_is_itself(name):
    assert host_form(host_form(name)) == host_form(name)
    assert host_form(name).isascii()


@pytest.mark.parametrize("name", ["\u200b", "\u00ad.", "\U000e0041\u200b"])
def test_a_name_that_shows_nothing_has_a_form_too(name):
    assert host_form(name)


def test_an_alias_and_a_domain_are_found_in_either_spelling_and_addressed_as_stored(emulator):
    domain = {"name": "bücher.example", "team": "acme"}
    emulator.seed(teams=[ACME], projects=[WEB], domains=[domain], aliases=[{**WWW, "alias": BUECHER}])
    for result in run_both(Alias, emulator.base_url, alias=ENCODED, project="web", team="acme"):
        assert (result["changed"], result["alias"]["alias"]) == (False, BUECHER)
    assert (
        run(Domain, emulator.base_url, name="xn--bcher-kva.example", team="acme")["domain"]["name"] == "bücher.example"
    )
    run(Domain, emulator.base_url, name="XN--BCHER-KVA.example", team="acme", state="absent")
    assert emulator.state()["domains"] == []


@pytest.mark.parametrize("alias", [ENCODED, "BÜCHER.example.com."])
def test_a_projects_own_alias_is_the_same_in_either_spelling(emulator, alias):
    emulator.seed(teams=[ACME], projects=[{**WEB, "alias": BUECHER}])
    entry = {**WEB, "alias": alias}
    for result in run_both(Project, emulator.base_url, **entry):
        assert (result["changed"], result["project"]["alias"]) == (False, BUECHER)
    result = converge(emulator.base_url, {"projects": [{**entry, "framework": "astro"}]}, protect=["*"])
    assert [entry["diff"]["after"] for entry in result["results"]] == [{"framework": "astro"}]
    assert run(Project, emulator.base_url, **{**entry, "alias": "web.example.com"})["changed"] is True


@pytest.mark.parametrize("key", ["alias", "domain", "name", "Alias", " name "])
@pytest.mark.parametrize("value", ["www.prod.example.com", ["www.example.com"], None, {}, True])
def test_no_parameter_names_another_alias(key, value):
    options = {"alias": "www.example.com", "project": "web", "state": "present", "parameters": {key: value}}
    with pytest.raises(InvalidOption, match="parameters: may hold nothing but the alias itself under"):
        Alias.check(options)


@pytest.mark.parametrize("value", ["www.example.com", "WWW.example.com."])
def test_a_parameter_may_hold_the_alias_itself(emulator, value):
    emulator.switch(alias_shape="domain")
    emulator.seed(projects=[{"name": "web"}])
    options = {"alias": "www.example.com", "project": "web", "parameters": {"domain": value}}
    with pytest.raises(Exception, match="alias"):  # the emulator takes one of the two alone
        run(Alias, emulator.base_url, **options)
    (sent,) = [request["body"] for request in emulator.requests() if request["method"] == "POST"]
    assert sent == {"alias": "www.example.com", "domain": value}

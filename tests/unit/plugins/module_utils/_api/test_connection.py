# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Connection options: what cannot work is refused before the first request, by name, and never
quoted.
"""

import math

import pytest
import yaml
from client import CONNECTION, TOKEN
from hypothesis import example, given
from hypothesis import strategies as st

from ansible_collections.hosting.platform.plugins.doc_fragments.api import ModuleDocFragment
from ansible_collections.hosting.platform.plugins.module_utils._api.connection import (
    Connection,
    connection_options,
)
from ansible_collections.hosting.platform.plugins.module_utils._errors import InvalidOption

WRONG_AFTER_THE_HOST = (
    "?secretive=1",
    "/#secretive",
    ":secretive",
    ":99999",
    "\n",
    "/secre\ttive",
    "\\secretive",
)
BAD_ADDRESSES = [
    *("", "secretive.example", "secretive.example:443", "ftp://secretive.example"),
    *(f"https://{rest}" for rest in ("/secretive", ":443", "[::1", "secre tive.example")),
    *(f"https://{user}@hosting.example" for user in ("secretive", "secretive:password")),
    *(f"https://hosting.example{rest}" for rest in WRONG_AFTER_THE_HOST),
]
BAD_NUMBERS = [
    *(("timeout", value) for value in (0, -1, 86401, math.inf, -math.inf, math.nan)),
    *(("max_retries", value) for value in (-1, 1001)),
    *(("max_retry_delay", value) for value in (-0.5, 86401, math.inf, math.nan)),
]


def refusal(**options) -> InvalidOption:
    with pytest.raises(InvalidOption) as failure:
        Connection.from_options({**CONNECTION, **options})
    assert str(failure.value).startswith(f"{failure.value.option}: ")
    return failure.value


@given(
    odd=st.characters(exclude_categories=()).filter(lambda character: not "!" <= character <= "~"),
    at=st.integers(0, 9),
)
@example(odd=" ", at=5)
@example(odd="\x7f", at=5)
@example(odd="\n", at=9)
def test_a_token_that_cannot_be_a_header_is_refused_and_not_quoted(odd, at):
    failure = refusal(access_token=f"{'secretive'[:at]}{odd}{'secretive'[at:]}")
    assert failure.option == "access_token"
    assert "secre" not in str(failure)
    assert "etive" not in str(failure)


@pytest.mark.parametrize(
    ("option", "value"), [*(("base_url", address) for address in BAD_ADDRESSES), *BAD_NUMBERS]
)
def test_unusable_value_is_rejected_without_quoting_it(option, value):
    failure = refusal(**{option: value})
    assert failure.option == option
    assert "secre" not in str(failure)
    assert "password" not in str(failure)


@pytest.mark.parametrize(
    ("option", "value", "used"),
    [
        *(
            ("access_token", token, token)
            for token in (None, "t", TOKEN, "!~", "a.b-c_d/e+f=", "x" * 5000, "0")
        ),
        ("base_url", "https://hosting.example", "https://hosting.example"),
        ("base_url", "https://hosting.example//", "https://hosting.example"),
        ("base_url", "https://hosting.example/api/", "https://hosting.example/api"),
        ("base_url", "https://hosting.example/a%20b", "https://hosting.example/a%20b"),
        ("base_url", "http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("base_url", "https://[::1]:8443", "https://[::1]:8443"),
        ("base_url", "HTTPS://Hosting.Example", "HTTPS://Hosting.Example"),
        *(("timeout", seconds, seconds) for seconds in (0.001, 86400)),
        ("max_retries", 0, 0),
        *(("max_retry_delay", seconds, seconds) for seconds in (0, 3600)),
        *((option, "", "") for option in ("ca_path", "client_cert", "client_key")),
    ],
)
def test_unusual_but_valid_values_are_accepted(option, value, used):
    assert getattr(Connection.from_options({**CONNECTION, option: value}), option) == used


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ({}, []),
        ({"base_url": "http://127.0.0.1:8080"}, []),
        ({"base_url": "http://[::1]"}, []),
        ({"base_url": "http://localhost:8080/api"}, []),
        ({"base_url": "http://hosting.example"}, ["unencrypted"]),
        ({"base_url": "HTTP://hosting.example"}, ["unencrypted"]),
        ({"base_url": "http://localhost.hosting.example"}, ["unencrypted"]),
        ({"base_url": "http://hosting.example", "access_token": None}, []),
        ({"validate_certs": False}, ["validate_certs"]),
        (
            {"validate_certs": False, "base_url": "http://hosting.example"},
            ["validate_certs", "unencrypted"],
        ),
    ],
)
def test_insecure_connection_options_warn(options, warned):
    warnings = Connection.from_options({**CONNECTION, **options}).warnings
    assert len(warnings) == len(warned)
    assert all(word in warning for word, warning in zip(warned, warnings, strict=True))


def test_the_options_of_a_module_are_not_lost_among_those_of_the_connection():
    """ansible-doc sorts the options of a module and of the connection alphabetically."""
    documented = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]
    lengths = {name: sum(map(len, option["description"])) for name, option in documented.items()}
    assert {name: length for name, length in lengths.items() if length > 250} == {}


def test_connection_options_are_equal_everywhere_and_have_variables():
    documented = yaml.safe_load(ModuleDocFragment.DOCUMENTATION)["options"]
    for_plugins = yaml.safe_load(ModuleDocFragment.ENV)["options"]
    options = connection_options()
    assert documented.keys() == for_plugins.keys() == options.keys()
    for name, option in options.items():
        for key in ("type", "default", "required"):
            assert documented[name].get(key) == option.get(key), f"{key} of {name}"
        variable = f"HOSTING_PLATFORM_{name.upper()}"
        assert option["fallback"][1][0] == variable
        assert for_plugins[name] == {"env": [{"name": variable}]}
    assert options["access_token"]["no_log"] is True

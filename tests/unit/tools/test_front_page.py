# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The site's front page: the README's pitch, a sentence for each guide, and captions in the sidebar."""

from __future__ import annotations

import pytest
from front_page import front_page

INDEX = """\
Hosting.Platform
================

.. contents::
   :local:
   :depth: 1

Description
-----------

Manage the platform.

.. toctree::
    :maxdepth: 1

.. Communication

Communication
-------------

- Forum: here.

Changelog
---------

.. toctree::
    :maxdepth: 1

    changelog

Guides
------

.. toctree::
    :maxdepth: 1

    docsite/guide_teams

Modules
~~~~~~~

.. toctree::
    :maxdepth: 1
    :hidden:

    team_module
    team_info_module
"""
README = """\
# hosting.platform

It manages the platform.

## Description

- **Fast.** A loop is as fast as `debug`
  ([measurements](https://example.com/performance.md)).

![A report](docsite/pictures/report.png)

### See it at work

Nothing of this.
"""
PAGE = """\
hosting.platform
================

It manages the platform.

- **Fast.** A loop is as fast as ``debug``
  (`measurements <https://example.com/performance.md>`__).

.. image:: docsite/pictures/report.png
  :alt: A report

Guides
------

:doc:`docsite/guide_teams`
  What a team is.

.. toctree::
  :caption: Guides
  :hidden:

  docsite/guide_teams

Modules
~~~~~~~

.. toctree::
  :caption: Modules
  :hidden:

  team <team_module>
  team_info <team_info_module>

Communication
-------------

- Forum: here.

Changelog
---------

:doc:`changelog`
  See what each release brings.

.. toctree::
  :caption: Releases
  :hidden:

  changelog
"""


def test_front_page_has_the_pitch_sentences_and_captions() -> None:
    guides = {"docsite/guide_teams": ".. meta::\n  :description: What a team is.\n\nTeams\n=====\n"}
    assert front_page(INDEX, guides, README) == PAGE


def test_guide_without_a_description_is_an_error() -> None:
    with pytest.raises(AssertionError, match="Teams"):
        front_page(INDEX, {"docsite/guide_teams": "Teams\n=====\n"}, README)


def test_index_that_begins_otherwise_is_an_error() -> None:
    with pytest.raises(AssertionError):
        front_page(INDEX.replace("Description", "About"), {}, README)

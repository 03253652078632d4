# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A team with a project and its alias, and other teams, as seeds and blueprints have them."""

ACME = {"slug": "acme"}
MEDIA = {"slug": "media"}
ZETA = {"slug": "zeta"}
WEB = {"name": "web", "team": "acme"}
WWW = {"alias": "www.example.com", "project": "web", "team": "acme"}

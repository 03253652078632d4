# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation site, guides and plugin reference, without accessing any other site."""

from __future__ import annotations

import shutil
import zlib
from pathlib import Path

import nox
from environments import CACHE, FAILURES, ROOT, collection_variables
from front_page import front_page

SITE = CACHE / "site"
FRONT_PAGE = SITE / "build" / "html" / "index.html"
REPOSITORY = "https://github.com/hosting-platform/hosting.platform"
CONTENT = "https://raw.githubusercontent.com/hosting-platform/hosting.platform/main"
PICTURES = "docs/pictures"
STYLE = ROOT / "tests/tools/site.css"
ANSIBLE_DOCUMENTATION = "https://docs.ansible.com/ansible/latest/"
# The labels of Ansible's own documentation that our pages refer to, and their pages there.
LABELS = {
    "action_plugins": "plugins/action.html",
    "ansible_collections.ansible.builtin.copy_module": "collections/ansible/builtin/copy_module.html",
    "ansible_configuration_settings": "reference_appendices/config.html",
    "common_return_values": "reference_appendices/common_return_values.html",
}
VARIABLES = (
    "ANSIBLE_CACHE_PLUGIN",
    "ANSIBLE_CACHE_PLUGIN_CONNECTION",
    "ANSIBLE_CACHE_PLUGIN_PREFIX",
    "ANSIBLE_CACHE_PLUGIN_TIMEOUT",
)
SETTINGS = f"""
title = project
html_title = project
html_short_title = project
html_use_smartypants = False
html_theme_options = {{"topbar_links": {{"Repository": {REPOSITORY!r}, "Ansible": {ANSIBLE_DOCUMENTATION!r}}}}}
html_static_path = ["static"]
html_css_files = ["site.css"]
intersphinx_mapping = {{"ansible": ({ANSIBLE_DOCUMENTATION!r}, "../ansible.inv")}}
"""
INIT = (
    "sphinx-init",
    "--use-current",
    "--squash-hierarchy",
    "--no-add-antsibull-docs-version",
    "--fail-on-error",
    "--project=hosting.platform",
    "--copyright=hosting.platform contributors",
    "--sphinx-theme=sphinx_ansible_theme",
    f"--dest-dir={SITE}",
    "hosting.platform",
)
PLANTED_FAULT = ":ref:`no_such_label`\n"


def build(session: nox.Session, collections: Path) -> None:
    session.env.update(collection_variables(collections))
    shutil.rmtree(SITE, ignore_errors=True)
    pages = SITE / "rst"
    pages.mkdir(parents=True)
    for folder in (SITE, pages):
        folder.chmod(0o755)  # antsibull-docs requires folders that are writable only by their owner
    with session.chdir(SITE):
        session.run("antsibull-docs", *INIT, silent=True)
    with (SITE / "conf.py").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    _write_inventory(SITE / "ansible.inv")
    (SITE / "static").mkdir()
    shutil.copy(STYLE, SITE / "static")

    session.run(
        "antsibull-docs",
        f"--config-file={SITE / 'antsibull-docs.cfg'}",
        "collection",
        "--use-current",
        "--squash-hierarchy",
        "--fail-on-error",
        f"--dest-dir={pages}",
        "hosting.platform",
    )
    _arrange(pages)
    with session.chdir(SITE):
        session.run(*_sphinx("html"))

    with (pages / "project_module.rst").open("a", encoding="utf-8") as page:
        page.write(PLANTED_FAULT)
    with session.chdir(SITE):
        output = session.run(*_sphinx("dummy"), silent=True, success_codes=FAILURES)
    if "no_such_label" not in str(output):
        session.error("Sphinx does not find a planted fault")
    session.log(f"The site is at {FRONT_PAGE}")


def _arrange(pages: Path) -> None:
    """Create the front page, and use local copies of the pictures, which the guides refer to by public URLs."""
    shutil.copytree(ROOT / PICTURES, pages / "docsite" / "pictures")
    guides = {}
    for guide in (pages / "docsite").glob("*.rst"):
        text = guide.read_text(encoding="utf-8").replace(f"{CONTENT}/{PICTURES}/", "pictures/")
        guides[f"docsite/{guide.stem}"] = text
        guide.write_text(text, encoding="utf-8")
    changelog = pages / "changelog.rst"
    # antsibull-docs writes the name in capitals.
    text = changelog.read_text(encoding="utf-8").replace("Hosting.Platform", "hosting.platform")
    changelog.write_text(text, encoding="utf-8")
    index = pages / "index.rst"
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace(f"{CONTENT}/{PICTURES}/", "docsite/pictures/")
    index.write_text(front_page(index.read_text(encoding="utf-8"), guides, readme), encoding="utf-8")


def _sphinx(builder: str) -> tuple[str, ...]:
    return ("sphinx-build", "-M", builder, "rst", "build", "-c", ".", "-n", "-W", "--keep-going", "-q")


def _write_inventory(path: Path) -> None:
    """Write an inventory of Ansible's site in Sphinx's format, without network access."""
    rows = [f"{label} std:label -1 {page} -" for label, page in LABELS.items()]
    rows += [f"{name} std:envvar 1 reference_appendices/config.html#envvar-$ -" for name in VARIABLES]
    header = "# Sphinx inventory version 2\n# Project: Ansible\n# Version:\n# The remainder is compressed using zlib.\n"
    path.write_bytes(header.encode() + zlib.compress("\n".join([*rows, ""]).encode()))

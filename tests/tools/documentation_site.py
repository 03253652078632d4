# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the documentation site, guides and plugin reference, without accessing any other site."""

import re
import shutil
import zlib
from pathlib import Path

import nox
from environments import CACHE, ROOT, collection_variables, copy_of_checkout

SITE = CACHE / "site"
PAGES = SITE / "rst"
REPOSITORY = "https://github.com/hosting-platform/hosting.platform"
PICTURES = "https://raw.githubusercontent.com/hosting-platform/hosting.platform/main/docs/pictures/"
ANSIBLE_DOCUMENTATION = "https://docs.ansible.com/ansible/latest/"
# The labels of Ansible's own documentation that our pages refer to, and their pages there.
LABELS = {
    "action_plugins": "plugins/action.html",
    "ansible_collections.ansible.builtin.copy_module": (
        "collections/ansible/builtin/copy_module.html"
    ),
    "ansible_configuration_settings": "reference_appendices/config.html",
    "common_return_values": "reference_appendices/common_return_values.html",
}
SETTINGS = f"""
title = html_title = html_short_title = project
html_use_smartypants = False
html_theme_options = {{
    "topbar_links": {{"Repository": {REPOSITORY!r}, "Ansible": {ANSIBLE_DOCUMENTATION!r}}}
}}
html_static_path = ["static"]
html_css_files = ["site.css"]
intersphinx_mapping = {{"ansible": ({ANSIBLE_DOCUMENTATION!r}, "../ansible.inv")}}
"""
# In the index that antsibull-docs makes: sections with their labels, those that few look for, and
# pages of plugins.
SECTION = re.compile(r"^(?=(?:\.\. _\S+:\n\n)?[^\n]+\n-{3,}\n)(?<!:\n\n)", re.MULTILINE)
SAID_LAST = re.compile(r"^(?:Description|Communication|Changelog)\n-", re.MULTILINE)
PLUGIN_PAGE = re.compile(r"^    (\w+)_(module|inventory|role)$", re.MULTILINE)
THEME = "--sphinx-theme=sphinx_ansible_theme"
OF_BOTH = ("--use-current", "--squash-hierarchy", "--fail-on-error", "hosting.platform")
PROJECT = ("--project=hosting.platform", "--copyright=hosting.platform contributors")


def build_site(session: nox.Session) -> None:
    collection = copy_of_checkout("docs", without={"emulator"})
    if any((collection / "changelogs/fragments").glob("*.yml")):
        # As the next release will render them: mistakes in them would otherwise show up only then.
        (version,) = re.findall(
            r"^version: ([\d.]+)", (collection / "galaxy.yml").read_text(), re.MULTILINE
        )
        with session.chdir(collection):
            session.run("antsibull-changelog", "release", "--version", version)
    session.env.update(collection_variables(CACHE / "docs"))
    shutil.rmtree(SITE, ignore_errors=True)
    PAGES.mkdir(parents=True)
    for folder in (SITE, PAGES):
        folder.chmod(0o755)  # antsibull-docs requires folders that are writable only by their owner
    session.run(
        "antsibull-docs",
        "sphinx-init",
        *PROJECT,
        THEME,
        f"--dest-dir={SITE}",
        *OF_BOTH,
        silent=True,
    )
    with (SITE / "conf.py").open("a", encoding="utf-8") as settings:
        settings.write(SETTINGS)
    _write_inventory(SITE / "ansible.inv")
    (SITE / "static").mkdir()
    shutil.copy(ROOT / "tests/tools/site.css", SITE / "static")
    command = (
        "antsibull-docs",
        f"--config-file={SITE / 'antsibull-docs.cfg'}",
        "collection",
        f"--dest-dir={PAGES}",
    )
    session.run(*command, *OF_BOTH)
    # The guides refer to the pictures by public addresses.
    shutil.copytree(ROOT / "docs/pictures", PAGES / "docsite/pictures")
    for page in PAGES.rglob("*.rst"):
        text = page.read_text(encoding="utf-8").replace(PICTURES, "pictures/")
        # antsibull-docs writes the name in capitals.
        page.write_text(text.replace("Hosting.Platform", "hosting.platform"), encoding="utf-8")
    index = PAGES / "index.rst"
    introduction = Path(__file__).with_name("site_introduction.rst").read_text(encoding="utf-8")
    index.write_text(arranged(index.read_text(encoding="utf-8"), introduction), encoding="utf-8")
    with session.chdir(SITE):
        session.run(
            "sphinx-build",
            "-M",
            "html",
            "rst",
            "build",
            "-c",
            ".",
            "-n",
            "-W",
            "--keep-going",
            "-q",
        )
    session.log(f"The site is at {SITE / 'build/html/index.html'}")


def arranged(index: str, introduction: str) -> str:
    """The index with an introduction, then the guides and the reference, and all else last. The
    sidebar, which follows it, names plugins without the collection.
    """
    head, *sections = SECTION.split(index)
    title = head.partition("Collection version")[0]
    last = [section for section in sections if SAID_LAST.search(section)]
    first = [section for section in sections if section not in last]
    return PLUGIN_PAGE.sub(
        r"    \1 \2 <\1_\2>", "\n".join([title, introduction, "", *first, *last])
    )


def _write_inventory(path: Path) -> None:
    """Write an inventory of Ansible's site in Sphinx's format, without network access."""
    rows = [f"{label} std:label -1 {page} -" for label, page in LABELS.items()]
    variables = [f"ANSIBLE_CACHE_PLUGIN{end}" for end in ("", "_CONNECTION", "_PREFIX", "_TIMEOUT")]
    rows += [
        f"{name} std:envvar 1 reference_appendices/config.html#envvar-$ -" for name in variables
    ]
    header = (
        "# Sphinx inventory version 2\n# Project: Ansible\n# Version:\n# The remainder is"
        " compressed using zlib.\n"
    )
    path.write_bytes(header.encode() + zlib.compress("\n".join([*rows, ""]).encode()))

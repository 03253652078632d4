# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""An export overwrites nothing but its own files, which nobody has edited."""

from pathlib import Path

import pytest
from exported_files import PLATFORM, export, exported, written

from ansible_collections.hosting.platform.plugins.module_utils._errors import (
    PlatformError,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_files import (
    ExportFiles,
)
from ansible_collections.hosting.platform.plugins.plugin_utils.files._export_texts import (
    FIRST_LINE,
)


def test_file_that_differs_in_its_head_alone_is_left_as_it_is(tmp_path):
    written(tmp_path)
    for path in tmp_path.glob("*.yml"):
        path.write_text(path.read_text().replace("/schemas/", "/schemas/2.0.0/"), encoding="utf-8")
    before = {path.name: path.read_text() for path in tmp_path.glob("*.yml")}
    assert export(tmp_path).changed == []
    assert written(tmp_path) == before
    more = {**PLATFORM, "teams": [{"slug": "acme"}]}
    assert [Path(path).name for path in export(tmp_path, more).changed] == ["teams.yml"]
    assert written(tmp_path, more)["teams.yml"] == exported("teams", '- slug: "acme"\n')


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('- slug: "acme"', '- slug: "acme"\n  name: Acme'),
        ('"acme"', "acme"),
        ("---\n", "---\n# Ours\n"),
        ("Checksum: ", "Checksum: 0"),
    ],
)
def test_exported_file_that_was_edited_is_not_overwritten(tmp_path, old, new):
    written(tmp_path)
    path = tmp_path / "teams.yml"
    text = path.read_text()
    path.write_text(text.replace(old, new))
    more = {**PLATFORM, "teams": [{"slug": "new"}]}
    with pytest.raises(PlatformError) as refused:
        export(tmp_path, more)
    assert str(refused.value).split("\n") == [
        f"{path} was edited since the export. Delete it to renew it, or choose another directory.",
        "Nothing was written.",
    ]
    path.unlink()
    assert written(tmp_path, more)["teams.yml"] == exported("teams", '- slug: "new"\n')


def test_edited_file_that_says_what_is_live_is_left_as_it_is(tmp_path):
    written(tmp_path)
    path = tmp_path / "teams.yml"
    edited = path.read_text().replace('- slug: "projects"\n', "")
    path.write_text(edited)
    live = {**PLATFORM, "teams": [{"slug": "acme"}]}
    assert export(tmp_path, live).changed == []
    assert written(tmp_path, live)["teams.yml"] == edited


def test_ends_of_lines_of_windows_are_no_edit(tmp_path):
    written(tmp_path)
    path = tmp_path / "teams.yml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert export(tmp_path).changed == []
    more = {**PLATFORM, "teams": [{"slug": "new"}]}
    assert written(tmp_path, more)["teams.yml"] == exported("teams", '- slug: "new"\n')


def test_file_of_somebody_else_is_in_the_way_whatever_is_in_it(tmp_path):
    written(tmp_path)
    path = tmp_path / "teams.yml"
    path.write_text(path.read_text().replace(FIRST_LINE, "# Mine."))
    with pytest.raises(PlatformError, match=r"teams\.yml was not written by an export"):
        export(tmp_path)


def test_exported_file_that_is_not_written_again_draws_a_warning(tmp_path):
    written(tmp_path, layout="teams")
    write = ["team-2/teams.yml", ".github/workflows/nightly.yml", "README/x.yml"]
    for name in write:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(exported("teams", "[]") if "team" in name else "")
    (warning,) = export(tmp_path, layout="teams").warnings
    assert warning == (
        "Files of an earlier export that are not part of this one would still be read:"
        f" {tmp_path}/team-2/teams.yml. Remove them."
    )


def test_no_file_of_any_declared_directory_is_touched(tmp_path):
    for name in ("common", "staging"):
        written(tmp_path / name)
    declared = [tmp_path / "common", tmp_path / "staging"]
    with pytest.raises(PlatformError) as refused:
        ExportFiles({"teams": [{"slug": "b"}]}, "kinds", str(declared[1]), declared)
    assert str(refused.value).split("\n") == [
        f"undeclared_in: {tmp_path}/staging/teams.yml declares what this export leaves out. Choose"
        " another directory.",
        "Nothing was written.",
    ]
    new = str(tmp_path / "staging/new")
    ExportFiles({"teams": [{"slug": "b"}]}, "kinds", new, declared).write()
    assert (tmp_path / "staging/new/teams.yml").exists()


def test_only_files_of_an_export_are_overwritten(tmp_path):
    written(tmp_path)
    (tmp_path / "teams.yml").write_text("- slug: mine\n")
    (tmp_path / "projects.yml").unlink()
    (tmp_path / "projects.yml").symlink_to("aliases.yml")
    with pytest.raises(PlatformError) as refused:
        export(tmp_path, {**PLATFORM, "aliases": []})
    assert str(refused.value).split("\n") == [
        f"{tmp_path}/teams.yml was not written by an export. Remove it, or choose another"
        " directory.",
        f"{tmp_path}/projects.yml is a link, and links are not followed. Remove it, or choose"
        " another directory.",
        "Nothing was written.",
    ]
    assert (tmp_path / "aliases.yml").read_text() == exported("aliases", "[]\n")


def test_no_folder_that_is_a_link_is_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "export").mkdir()
    (tmp_path / "export" / "acme").symlink_to("../elsewhere")
    with pytest.raises(PlatformError, match="export/acme is a link, and links are not followed"):
        export(tmp_path / "export", layout="teams")

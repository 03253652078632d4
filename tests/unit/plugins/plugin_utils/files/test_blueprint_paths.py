# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""What in a directory is no file of a blueprint, and what is said of it."""

import os
import subprocess
from pathlib import Path

import pytest
from blueprint_files import file_problems, read_folder
from folders import write_files


@pytest.mark.parametrize(
    "files", [{}, {"README.md": ""}, {"READMEs/x.txt": ""}, {".keep": ""}, {"acme/.keep": ""}]
)
def test_a_directory_without_files_is_none(tmp_path, files):
    (said,) = file_problems(write_files(tmp_path, files))
    assert said == f"{tmp_path}: it contains no blueprint files, such as projects.yml."


def test_special_files_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "teams.yml")
    (tmp_path / "aliases.yml").write_bytes(b"[]\n- \xff")
    assert file_problems(tmp_path) == [
        "aliases.yml:2: it is not valid UTF-8, at byte 6.",
        "teams.yml: it is not a regular file.",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may look into every folder")
def test_a_folder_whose_files_nobody_may_open_is_named(tmp_path):
    write_files(tmp_path, {"acme/projects.yml": "[]", "teams.yml": "[]"})
    (tmp_path / "acme").chmod(0o600)
    assert file_problems(tmp_path) == ["acme: it cannot be read: Permission denied."]


@pytest.mark.parametrize("name", [b"caf\xe9.yml", b"projects/caf\xe9.yml", b"caf\xe9/projects.yml"])
def test_a_name_that_is_not_utf_8_is_refused(tmp_path, name):
    path = Path(os.fsdecode(os.path.join(os.fsencode(tmp_path), name)))
    path.parent.mkdir(exist_ok=True)
    path.write_text("[]")
    (said,) = file_problems(tmp_path)
    where = os.fsdecode(name).removesuffix("/projects.yml")
    assert said == f"{where}: its name is not valid UTF-8. Rename it."


LINKS = [
    ("projects.yml", "/dev/zero"),
    ("projects/all.yml", "../teams.yml"),
    ("acme", "../elsewhere"),
    ("acme", "."),
]


@pytest.mark.parametrize(
    ("link", "target"), [*LINKS, ("projects.yml", "teams.yml"), ("defaults.yml", "teams.yml")]
)
def test_no_link_is_followed(tmp_path, link, target):
    write_files(
        tmp_path,
        {
            "secret.yml": "[{password: hidden}]",
            "elsewhere/projects.yml": "[]",
            "live/teams.yml": "[]",
        },
    )
    path = tmp_path / "live" / link
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(target)
    found = read_folder(tmp_path / "live")
    advice = "Copy the files it leads to: cp -rL SOURCE COPY."
    assert found.problems == [f"{link}: it is a link, and links are not followed. {advice}"]
    assert found.entries == {"teams": []}


def test_a_copy_of_a_mounted_config_map_can_be_read(tmp_path):
    """Its files are links to those in a folder, to which a link leads."""
    write_files(tmp_path, {"map/..2026/projects.yml": "- name: shop"})
    (tmp_path / "map/..data").symlink_to("..2026")
    (tmp_path / "map/projects.yml").symlink_to("..data/projects.yml")
    assert len(read_folder(tmp_path / "map").problems) == 1
    subprocess.run(["cp", "-rL", tmp_path / "map", tmp_path / "copy"], check=True)
    found = read_folder(tmp_path / "copy")
    assert (found.problems, [entry["name"] for entry in found.entries["projects"]]) == (
        [],
        ["shop"],
    )


EMPTY_FOLDER = (
    "it is an empty folder. Get the files that belong in it, or remove it. If it is meant to be"
    " empty, put a README into it."
)


@pytest.mark.parametrize("name", ["acme", "projects", "acme/projects", "domains", "retail/media"])
def test_an_empty_folder_is_an_error_that_names_it(tmp_path, name):
    """A submodule that was not checked out declares nothing, and pruning would delete it all."""
    (tmp_path / name).mkdir(parents=True)
    assert file_problems(write_files(tmp_path, {"teams.yml": "[]"})) == [f"{name}: {EMPTY_FOLDER}"]


@pytest.mark.parametrize("file", ["README.md", ".gitkeep"])
def test_a_folder_that_is_meant_to_be_empty_holds_a_readme_or_a_dot_file(tmp_path, file):
    files = {"teams.yml": "[]", f"acme/{file}": "", f"projects/{file}": ""}
    assert file_problems(write_files(tmp_path, files)) == []


def test_a_directory_that_cannot_be_listed_is_named(tmp_path):
    found = read_folder(tmp_path / "gone")
    assert found.problems == [f"{tmp_path}/gone: it cannot be read: No such file or directory."]


@pytest.mark.parametrize("name", ["projects.yml", "defaults.yml"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_an_encrypted_file_is_named_as_such(tmp_path, name, mark):
    files = {"teams.yml": "[]", name: f"{mark}$ANSIBLE_VAULT;1.1;AES256\n61626364\n"}
    assert file_problems(write_files(tmp_path, files)) == [
        f"{name}: it is encrypted with Ansible Vault, and files are data. Decrypt it, or give the"
        " blueprint in a variable (converge_blueprint, or the option blueprint)."
    ]

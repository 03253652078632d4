# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Installs, with uv: environments beside those of nox, one for each ansible-core, and the
emulator's wheel.
"""

import os
import sys
from pathlib import Path

import nox
from environments import CACHE, EMULATOR, ENVIRONMENTS, REQUIREMENTS, locked
from interpreters import CANARY_PYTHONS, NoPython, find_python, preferred_python
from nox.command import CommandFailed

# It comes with nox.
UV = Path(sys.executable).with_name("uv")
# Ansible's modules never write bytecode, so each would compile what it imports. All else but the
# environments of sanity is compiled where it is first imported, and only that.
COMPILED = {"UV_COMPILE_BYTECODE": "true"}


def core_environment(session: nox.Session, core: str, python: str = "") -> Path:
    """The bin folder with one ansible-core, such as 2.16, and what the collection needs; on its
    preferred Python.
    """
    preferred = preferred_python(core)
    name = f"core-{core}" if python in ("", preferred) else f"core-{core}-python-{python}"
    return extra_environment(session, name, python or preferred, f"core-{core}")


def extra_environment(session: nox.Session, name: str, python: str, pinned: str) -> Path:
    """The bin folder of an additional environment."""
    folder = ENVIRONMENTS / name
    with locked(name):
        if not folder.is_dir():
            uv(session, "venv", f"--python={find_python(python)}", str(folder))
        requirements = str(REQUIREMENTS / f"{pinned}.txt")
        uv(session, "pip", "sync", f"--python={folder}", requirements, env=COMPILED)
    return folder / "bin"


def install_wheel(session: nox.Session, python: Path) -> None:
    """Install the emulator as its users do, built from a source distribution and not from the
    checkout.
    """
    with locked("wheel"):
        folder = CACHE / "wheel"
        uv(session, "build", "--clear", f"--out-dir={folder}", str(EMULATOR))
        (wheel,) = folder.glob("*.whl")
        uv(session, "pip", "install", f"--python={python}", "--no-deps", "--reinstall", str(wheel))


def install_core_to_come(session: nox.Session) -> tuple[Path, str]:
    """The bin folder with an unreleased ansible-core, and its version, such as 2.23."""
    tools = ENVIRONMENTS / "canary" / "bin"
    core = (
        str(Path(source).resolve()) if (source := os.environ.get("CORE_SOURCE")) else "ansible-core"
    )
    for python in filter(find_python, CANARY_PYTHONS):
        uv(session, "venv", "--clear", f"--python={find_python(python)}", str(tools.parent))
        where = (f"--python={tools}/python", f"--requirement={REQUIREMENTS / 'core.in'}")
        try:
            uv(session, "pip", "install", "--prerelease=allow", *where, core)
        except CommandFailed:
            continue
        asked = "import ansible.release as r; print(r.__version__)"
        version = str(
            session.run(str(tools / "python"), "-c", asked, external=True, silent=True)
        ).strip()
        session.log(f"ansible-core {version}")
        return tools, ".".join(version.split(".")[:2])
    raise NoPython(
        f"For an ansible-core to come one of Python {', '.join(CANARY_PYTHONS)} is needed."
    )


def oldest_libraries(session: nox.Session) -> dict[str, str]:
    """The variables under which tests use the oldest supported requests and urllib3."""
    oldest = ENVIRONMENTS / "oldest"
    uv(
        session,
        "pip",
        "install",
        f"--target={oldest}",
        f"--requirement={REQUIREMENTS / 'oldest.txt'}",
    )
    path = os.pathsep.join([str(oldest), str(session.env["PYTHONPATH"])])
    return {"PYTHONPATH": path, "REQUESTS": "2.25.0", "URLLIB3": "1.26.5"}


def uv(session: nox.Session, *arguments: str, env: dict[str, str] | None = None) -> None:
    session.run_install(str(UV), *arguments, external=True, silent=True, env=env)

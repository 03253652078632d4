# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A Git repository as on a forge: the branch main, and requests to be merged into it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

# As on a runner, without any configuration.
GIT = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
AUTHOR = ("-c", "user.name=Author", "-c", "user.email=author@example.com")


@dataclass
class Request:
    """A pull or merge request. ``merged`` is the resulting commit on main."""

    number: int
    sha: str
    is_fork: bool = False
    author: str = "author"
    base: str = "main"
    merged: str | None = None


def git(folder: Path, *arguments: str | Path) -> str:
    command = ["git", "-C", folder, *AUTHOR, *arguments]
    done = subprocess.run(command, env={**os.environ, **GIT}, check=True, capture_output=True, text=True)
    return done.stdout.strip()


class Repository:
    """``path`` is what runners clone."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "platform.git"
        self._work = folder / "work"
        for path, options in ((self.path, ["--bare"]), (self._work, [])):
            path.mkdir(parents=True)
            git(path, "init", "--quiet", "--initial-branch=main", *options)
        git(self.path, "config", "uploadpack.allowAnySHA1InWant", "true")
        git(self._work, "remote", "add", "origin", self.path)

    @property
    def main(self) -> str:
        return git(self.path, "rev-parse", "main")

    def push(self, files: Mapping[str, str]) -> None:
        """Commit straight to main."""
        self._commit(files)
        self._publish()

    def propose(self, number: int, files: Mapping[str, str]) -> str:
        """Commit the changes of the request with this number on top of main; returns the commit."""
        git(self._work, "checkout", "--quiet", "--detach", "main")
        return self._propose(number, files)

    def propose_link(self, number: int, name: str, target: str) -> str:
        """Like ``propose``, with a link in place of a folder."""
        git(self._work, "checkout", "--quiet", "--detach", "main")
        git(self._work, "rm", "--quiet", "-r", name)
        (self._work / name).symlink_to(target)
        return self._propose(number)

    def fast_forward(self, commit: str) -> None:
        """Fast-forward main to a commit."""
        git(self._work, "merge", "--quiet", "--ff-only", commit)
        self._publish()

    def merge(self, request: Request, how: str) -> None:
        """Merge a request by one of the methods of forges: merge, squash or rebase."""
        git(self._work, "checkout", "--quiet", "main")
        if how == "merge":
            git(self._work, "merge", "--quiet", "--no-ff", "-m", "Merge", request.sha)
        elif how == "squash":
            git(self._work, "merge", "--quiet", "--squash", request.sha)
            git(self._work, "commit", "--quiet", "-m", "Squash")
        else:
            git(self._work, "cherry-pick", "--keep-redundant-commits", "--allow-empty", f"main..{request.sha}")
        self._publish()
        request.merged = self.main

    def clone(self, target: Path, commit: str) -> None:
        """Check out a commit, with all branches available."""
        git(target.parent, "clone", "--quiet", "--no-checkout", self.path, target)
        git(target, "fetch", "--quiet", "origin", commit)
        git(target, "checkout", "--quiet", "--detach", commit)

    def _propose(self, number: int, files: Mapping[str, str] | None = None) -> str:
        self._commit(files or {})
        sha = git(self._work, "rev-parse", "HEAD")
        git(self._work, "push", "--quiet", "--force", "origin", f"HEAD:refs/pull/{number}/head")
        git(self._work, "checkout", "--quiet", "main")
        return sha

    def _commit(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            file = self._work / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        git(self._work, "add", "--all")
        git(self._work, "commit", "--quiet", "--allow-empty", "-m", "Change")

    def _publish(self) -> None:
        git(self._work, "push", "--quiet", "origin", "main")

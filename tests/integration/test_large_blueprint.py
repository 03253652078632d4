# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The job of an agency: 4 teams with 60 projects and 120 aliases, on staging and on production, as
plain data.
"""

from itertools import chain
from pathlib import Path

from folders import write
from player import Play, Player

TEAMS = {"acme": "nextjs", "media": "hugo", "press": "astro", "tools": "vite"}
SITES = 15
# Of both platforms together. Before files had defaults and nested aliases, one of them took 538.
MOST_LINES = 200


def files(domain: str) -> dict[str, str]:
    """The files for one platform, by name."""
    content = {}
    for team, framework in TEAMS.items():
        content[f"{team}__defaults"] = (
            f"team: {team}\nprojects: {{framework: {framework}, build_command: npm run build}}\n"
        )
        lines = [f"teams: [{{slug: {team}}}]", "projects:"]
        for number in range(1, SITES + 1):
            host = f"{team}-{number}.{domain}"
            lines.append(f"  - {{name: {team}-{number}, aliases: [{host}, www.{host}]}}")
        content[f"{team}__sites"] = "\n".join(lines) + "\n"
    return content


def converge(player: Player, directory: str) -> Play:
    return player.run_file(
        Path("hosting.platform.converge"), "-e", f"converge_directory={directory}"
    )


def test_two_platforms_take_fewer_lines_than_one_did(player: Player) -> None:
    platforms = {"staging": "staging.example.com", "production": "example.com"}
    written = {name: files(domain) for name, domain in platforms.items()}
    texts = chain.from_iterable(content.values() for content in written.values())
    lines = "".join(texts).splitlines()
    assert len(lines) < MOST_LINES
    assert max(map(len, lines)) < 100
    for name, content in written.items():
        player.emulator.reset()
        write(player.folder / name, **content)
        assert "184 created" in converge(player, name).output
        assert "Nothing to do; 184 unchanged." in converge(player, name).output

    given = ("-e", "export_directory=live", "-e", "export_layout=teams")
    player.run_file(Path("hosting.platform.export"), *given)
    assert "Nothing to do; 184 unchanged." in converge(player, "live").output
    state = player.emulator.state()
    # The service makes an alias of its own for each project.
    assert [len(state[kind]) for kind in ("teams", "projects", "aliases")] == [4, 60, 120 + 60]
    assert {project["buildCommand"] for project in state["projects"]} == {"npm run build"}

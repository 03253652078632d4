# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""The table that the bench makes of its figures; how long anything takes is no test's business."""

from pathlib import Path

import bench
from bench import ROWS, nodes, put, ratios, sizes, table
from emulated import ControlledEmulator
from measuring import Bench, Seconds


def test_one_slow_round_moves_no_ratio():
    ours, beside = (
        [Seconds(clock, clock / 2) for clock in clocks] for clocks in ([3, 3, 300], [2, 2, 2])
    )
    assert ratios(ours, beside) == (1.5, 1.5)


def test_table_has_the_figure_and_the_goal_of_each_row(
    emulator: ControlledEmulator, tmp_path: Path
):
    measured = Bench(tmp_path, emulator, tmp_path)
    for row in ROWS:
        measured.times |= {row.work: [Seconds(1.2, 1)], row.beside: [Seconds(1, 1)]}
        measured.peaks |= {row.work: 100, row.beside: 50}
        measured.requests |= {row.work: 20, row.beside: 10}
    cells = {line.split(" | ")[0][2:]: line for line in table(measured, "2.16")}
    assert cells["one unchanged project beside `uri`"].endswith(
        "| 1.2 x | 1 x | at most 0.08 x | no |"
    )
    assert cells["playbook `converge` with three outputs and 60 unchanged entries"].endswith(
        "at most 1.6 x | yes |"
    )
    assert "| 50 MB more |  | at most 130 MB more | yes |" in "".join(table(measured, "2.16"))
    assert "| 2 x the requests |  | at most 2.05 x the requests | yes |" in "".join(
        table(measured, "2.16")
    )
    for core, wanted in (("2.16", "1.3 x"), ("2.22", "1.12 x")):
        assert (
            "loop of 100 unchanged projects | loop of 100 `debug` | 1.2 x | 1 x | at most"
            f" {wanted} |" in "".join(table(measured, core))
        )


def test_size_counts_the_nodes_of_all_files(tmp_path: Path):
    (tmp_path / "folder").mkdir()
    for file in ("one.py", "folder/two.py"):
        (tmp_path / file).write_text("x = 1", encoding="utf-8")
    assert nodes(tmp_path) == 2 * len(["Module", "Assign", "Name", "Store", "Constant"])
    assert sizes(tmp_path).startswith("Syntax nodes of plugins: 10 (hetzner.hcloud 6.10.0 89,173,")


def test_results_replace_those_of_their_core_only():
    page = bench.PAGE.read_text(encoding="utf-8")
    changed = put(page, "2.16", "new")
    assert changed != page
    assert put(changed, "2.16", "newer").count("newer") == 1
    assert put(page, "2.15", "new") == page

# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""make mutants: a sample of small breaks of the code. Each that its tests do not notice is
shown.
"""

import os
import random
import sqlite3
import subprocess
import sys
from contextlib import closing

from environments import CACHE, copy_of_checkout, development_environment, variables

SEED = 48
CONFIG = """
[cosmic-ray]
module-path = "plugins/module_utils/{folder}"
timeout = 120.0
test-command = "{python} -m pytest -x -q -m 'not thorough' tests/unit/plugins/module_utils/{folder}"
distributor.name = "local"
"""


def main(folder: str, size: int) -> None:
    collection = copy_of_checkout("mutants")
    (collection / "mutants.toml").write_text(CONFIG.format(folder=folder, python=sys.executable))
    environment = variables(
        development_environment(), CACHE / "mutants", HYPOTHESIS_PROFILE="quick"
    )

    def run(command: str) -> None:
        subprocess.run(command.split(), cwd=collection, env=environment, check=True)

    run("cosmic-ray init mutants.toml mutants.sqlite")
    with closing(sqlite3.connect(collection / "mutants.sqlite", isolation_level=None)) as session:
        # In annotations, which nothing evaluates, | stands between types.
        listed = "SELECT job_id FROM mutation_specs WHERE operator_name NOT LIKE '%BitOr%'"
        jobs = session.execute(
            f"{listed} ORDER BY module_path, operator_name, occurrence"
        ).fetchall()
        # The same ones each time.
        chosen = random.Random(SEED).sample(jobs, min(size, len(jobs)))  # noqa: S311
        session.execute("CREATE TEMP TABLE chosen (job_id)")
        session.executemany("INSERT INTO chosen VALUES (?)", chosen)
        for table in ("mutation_specs", "work_items"):
            session.execute(f"DELETE FROM {table} WHERE job_id NOT IN chosen")  # noqa: S608
    run("cosmic-ray exec mutants.toml mutants.sqlite")
    run("cr-report --surviving-only --show-diff mutants.sqlite")


if __name__ == "__main__":
    main(os.environ.get("FOLDER") or "_api", int(os.environ.get("SAMPLE") or 100))

# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""Single-resource modules in loops and alone: ours on both paths, compared with other tasks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bench_peer import PEER, PeerService
from bench_playing import Bench, Played, Task, Times

SWITCHED_OFF = {"HOSTING_PLATFORM_IN_PROCESS": "false"}

DEBUG = "debug"
PROJECT = "project"
CREATE = "create project"
LOGGED = "create project, with a request log"
EMPTY = "empty module"
AS_MODULE = "project, as module"
URI = "uri"
FAST = (DEBUG, PROJECT, CREATE, LOGGED)
SLOW = (EMPTY, AS_MODULE, URI)

ROUNDS = {1: 25, 20: 15, 100: 15, 1000: 3}
SLOW_ROUNDS = 2
LATENCY_MS = 20
CONNECT_LATENCY_MS = 40
CONNECT_SIZE = 20
FULL = bool(os.environ.get("BENCH_FULL"))
MEMORY_SIZE = 1000
WHOLE_PLAYBOOK_ROUNDS = 7


@dataclass
class Loops:
    """Times by ``label``, for every latency; of whole playbooks; and MB that a worker had at most."""

    without_latency: Times
    with_latency: Times
    with_connect_latency: Times
    whole_playbooks: Times
    worker_peaks: dict[str, float]


def label(contender: str, size: int) -> str:
    return f"{contender} x {size}"


def measure_loops(bench: Bench, peer: PeerService | None) -> Loops:
    contest = _Contest(bench, peer)
    return Loops(
        without_latency=contest.side_by_side(ROUNDS),
        with_latency=contest.side_by_side(ROUNDS, latency_ms=LATENCY_MS),
        with_connect_latency=contest.side_by_side(
            {CONNECT_SIZE: ROUNDS[CONNECT_SIZE]}, latency_ms=LATENCY_MS, connect_latency_ms=CONNECT_LATENCY_MS
        ),
        whole_playbooks=contest.whole_playbooks(),
        worker_peaks={name: contest.alone(name, MEMORY_SIZE).worker_peak for name in (DEBUG, PROJECT)},
    )


class _Contest:
    def __init__(self, bench: Bench, peer: PeerService | None) -> None:
        self._bench = bench
        self._peer = peer
        self._fresh_teams = 0
        self._slow = (*SLOW, PEER) if peer else SLOW

    def side_by_side(self, rounds: dict[int, int], **latency: int) -> Times:
        """All sizes in one playbook; within a size all contenders take turns, so that noise hits all alike."""
        self._seed(*rounds)
        self._switch(**latency)
        # The plot shows loops of 100 with and without latency, and is drawn beside a peer.
        longest_slow = 1000 if FULL else 100 if self._peer or not latency else 20
        tasks = [task for size in rounds for task in self._rounds(size, rounds[size], size <= longest_slow)]
        played = self._bench.play(tasks)
        self._switch()
        return played.times

    def whole_playbooks(self) -> Times:
        """Of one task each, from the start of ansible-playbook to its end: what is imported is seen here."""
        times = Times()
        for _round in range(WHOLE_PLAYBOOK_ROUNDS):
            for contender in (DEBUG, PROJECT, *self._slow):
                times.add(contender, self.alone(contender, 1).run.seconds)
        return times

    def alone(self, contender: str, size: int) -> Played:
        """One task in a playbook of its own."""
        self._seed(size)
        return self._bench.play([self._task(contender, size)])

    def _rounds(self, size: int, rounds: int, takes_slow: bool) -> Iterator[Task]:
        """The fast ones stand side by side: between tasks that take minutes, a machine changes its speed."""
        for number in range(rounds):
            first = number % len(FAST)
            slow = self._slow if takes_slow and number < SLOW_ROUNDS else ()
            for contender in (*FAST[first:], *FAST[:first], *slow):
                yield self._task(contender, size)

    def _seed(self, *sizes: int) -> None:
        """A team per size, which holds just the projects that a loop of that size names."""
        self._bench.emulator.reset()
        for size in sizes:
            team = f"of-{size}"
            self._seed_team(team)
            projects = [
                {"name": f"project-{size}-{number}", "team": team, "framework": "astro"} for number in range(size)
            ]
            self._bench.emulator.seed(projects=projects)

    def _seed_team(self, team: str) -> None:
        """A team with an owner who has no other: the teams of all tasks together would be a long list for each."""
        owner = f"{team}@example.com"
        self._bench.emulator.seed(users=[{"email": owner, "token": _token_of(team)}])
        self._bench.emulator.seed(teams=[{"slug": team, "owner": owner}])

    def _switch(self, **latency: int) -> None:
        self._bench.emulator.switch(**{"latency_ms": 0, "connect_latency_ms": 0, **latency})
        if self._peer:
            self._peer.latency_ms = latency.get("latency_ms", 0)
            self._peer.connect_latency_ms = latency.get("connect_latency_ms", 0)

    def _task(self, contender: str, size: int) -> Task:
        number = "{{ item }}" if size > 1 else "0"
        loop = {"loop": f"{{{{ range({size}) | list }}}}"} if size > 1 else {}
        return {"name": label(contender, size), **self._action(contender, size, number), **loop}

    def _action(self, contender: str, size: int, number: str) -> dict[str, Any]:
        if contender in (CREATE, LOGGED):
            # In a new team, so that the list of projects is as short for the last creation as for the first.
            self._fresh_teams += 1
            team = f"fresh-{self._fresh_teams}"
            self._seed_team(team)
            log = {"request_log": str(self._bench.folder / "requests.jsonl")} if contender == LOGGED else {}
            return _project(f"{team}-{number}", team, **log)
        name, team = f"project-{size}-{number}", f"of-{size}"
        if contender == PEER:
            assert self._peer
            return {PEER: {"name": name, "api_token": "token", "api_endpoint": f"{self._peer.base_url}/v1"}}
        url = f"{self._bench.emulator.base_url}/projects/{name}"
        return {
            DEBUG: {"ansible.builtin.debug": {"msg": name}},
            PROJECT: _project(name, team),
            AS_MODULE: {**_project(name, team), "environment": SWITCHED_OFF},
            EMPTY: {"empty": {"name": name}},
            URI: {"ansible.builtin.uri": {"url": url, "headers": {"Authorization": f"Bearer {_token_of(team)}"}}},
        }[contender]


def _project(name: str, team: str, **more: str) -> Task:
    options = {"name": name, "team": team, "access_token": _token_of(team), "framework": "astro"}
    return {"hosting.platform.project": {**options, **more}}


def _token_of(team: str) -> str:
    return f"token-of-{team}-0123456789abcdef"

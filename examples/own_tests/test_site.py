"""Plays site.yml on a bad day of the platform."""

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def play(platform):
    """Play it, and return what ansible-playbook prints."""
    command = ["ansible-playbook", "site.yml"]
    environment = {**os.environ, **platform.environment}
    played = subprocess.run(
        command,
        cwd=HERE,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert played.returncode == 0, played.stdout
    return played.stdout


def test_the_projects_are_there_once_and_stay(hosting_platform):
    hosting_platform.scenario(HERE / "scenario.yml")
    play(hosting_platform)
    again = play(hosting_platform)

    projects = hosting_platform.state()["projects"]
    assert sorted(project["name"] for project in projects) == ["blog", "shop"]
    assert {project["framework"] for project in projects} == {"nextjs"}
    assert "changed=0" in again, again

    statuses = [request["status"] for request in hosting_platform.requests()]
    assert {None, 503, 429} <= set(statuses), "the faults have struck; None is a lost answer"

"""Converges the blueprint on an empty platform."""

import os
import subprocess
from pathlib import Path

HERE = Path(__file__).parent


def converge(platform, *options):
    """Converge the directory blueprint, and return what ansible-playbook prints."""
    command = ["ansible-playbook", "hosting.platform.converge", *options]
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


def test_the_blueprint_makes_what_it_declares(hosting_platform):
    converge(hosting_platform, "--check")
    assert hosting_platform.state()["projects"] == []
    converge(hosting_platform)
    again = converge(hosting_platform)

    projects = hosting_platform.state()["projects"]
    assert sorted(project["name"] for project in projects) == ["blog", "shop"]
    assert "changed=0" in again, again

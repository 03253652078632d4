# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
"""A connection that cannot work: said by its option or variable, before the first request, and
asking nobody.
"""

import subprocess

from certificates import self_signed
from player import Player
from sampling import both_ways


@both_ways
def test_an_encrypted_key_fails_by_its_option(player: Player, in_process: str) -> None:
    made = self_signed(player.folder, "client")
    encrypted = player.folder / "encrypted.key"
    command = f"openssl rsa -aes256 -in {made.key} -out {encrypted} -passout pass:passphrase"
    subprocess.run(command.split(), check=True, capture_output=True)
    both = player.folder / "both.pem"
    both.write_text(made.certificate.read_text() + encrypted.read_text())
    of_its_own = {"client_cert": str(made.certificate), "client_key": str(encrypted)}
    tasks = [
        {"hosting.platform.user_info": options, "ignore_errors": True}
        for options in (of_its_own, {"client_cert": str(both)})
    ]
    own, inside = player.run(tasks, HOSTING_PLATFORM_IN_PROCESS=in_process).tasks
    assert own.result["msg"].startswith(f"client_key: {encrypted} contains an encrypted key.")
    assert inside.result["msg"].startswith(f"client_cert: {both} contains an encrypted key.")
    assert own.requests == inside.requests == []


@both_ways
def test_the_library_that_a_socks_proxy_needs_is_named(player: Player, in_process: str) -> None:
    task = {
        "hosting.platform.user_info": {"base_url": "http://hosting.example"},
        "ignore_errors": True,
    }
    proxy = {"ALL_PROXY": "socks5://user:secretive@127.0.0.1:1", "http_proxy": "", "no_proxy": ""}
    play = player.run([task], HOSTING_PLATFORM_IN_PROCESS=in_process, **proxy)
    message = play.tasks[0].result["msg"]
    assert "the Python library PySocks is missing." in message
    assert message.endswith("-m pip install PySocks")
    assert "secretive" not in play.output

#!/bin/sh
# Copyright: hosting.platform contributors
# GNU General Public License v3.0+ (see LICENSE or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later
# sign.sh FOLDER KEY: sign the files of a release: the collection's manifest, which ansible-galaxy verifies, and the checksums.
set -eu
cd "$1"
tar --extract --file hosting-platform-*.tar.gz MANIFEST.json
for file in MANIFEST.json SHA256SUMS; do
    gpg --yes --armor --local-user "$2" --detach-sign "$file"
done
gpg --yes --armor --output public-key.asc --export "$2"
rm MANIFEST.json

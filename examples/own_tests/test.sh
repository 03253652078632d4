#!/bin/sh
# The same test with nothing but a shell.
set -eu
cd "$(dirname "$0")"
export HOSTING_PLATFORM_ACCESS_TOKEN=a-token-for-tests-only
export HOSTING_PLATFORM_EMULATOR_OWNER_TOKEN="$HOSTING_PLATFORM_ACCESS_TOKEN"
folder=$(mktemp -d)
trap 'kill "$emulator" 2>/dev/null; rm -r "$folder"' EXIT

hosting-platform-emulator --port 0 --scenario scenario.yml --ready-file "$folder/url" &
emulator=$!
until [ -e "$folder/url" ]; do
  kill -0 "$emulator" 2>/dev/null || { echo "The emulator does not run." && exit 1; }
  sleep 0.1
done
HOSTING_PLATFORM_BASE_URL=$(cat "$folder/url")
export HOSTING_PLATFORM_BASE_URL

ansible-playbook site.yml
again=$(ansible-playbook site.yml) || { echo "$again" && exit 1; }
ansible-playbook molecule/default/verify.yml

case $again in
*changed=[1-9]*) echo "$again" && echo "The second run changed something." && exit 1 ;;
*changed=0*) echo "The second run changed nothing." ;;
*) echo "$again" && echo "The second run played nothing." && exit 1 ;;
esac

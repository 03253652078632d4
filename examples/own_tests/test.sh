#!/bin/sh
# What "molecule test" does, with nothing but ansible-playbook.
set -eu
cd "$(dirname "$0")"
export HOSTING_PLATFORM_BASE_URL="http://127.0.0.1:${EMULATOR_PORT:-8099}"
export HOSTING_PLATFORM_ACCESS_TOKEN=a-token-for-tests-only
export ANSIBLE_LOCALHOST_WARNING=false ANSIBLE_INVENTORY_UNPARSED_WARNING=false

trap 'ansible-playbook molecule/default/destroy.yml' EXIT
ansible-playbook molecule/default/create.yml
ansible-playbook molecule/default/prepare.yml
ansible-playbook site.yml
again=$(ansible-playbook site.yml) || { echo "$again" && exit 1; }
ansible-playbook molecule/default/verify.yml

case $again in
*changed=[1-9]*) echo "$again" && echo "The second run changed something." && exit 1 ;;
*changed=0*) echo "The second run changed nothing." ;;
*) echo "$again" && echo "The second run played nothing." && exit 1 ;;
esac

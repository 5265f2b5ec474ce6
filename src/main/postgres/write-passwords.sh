#!/usr/bin/env bash
# Writes a random password of each role into .env, for docker-compose.yml. Does not replace a file: the database has its
# passwords.
set -euo pipefail
cd "$(dirname "$0")/../../.."
umask 077
set -o noclobber
for role in SUPERUSER OWNER SERVICE; do
  echo "REGISTRAR_${role}_PASSWORD=$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')"
done > .env

#!/usr/bin/env bash
# Writes a random password of each role, and the secret of tags, into .env, for docker-compose.yml. Does not replace a file: the database has its
# passwords.
set -euo pipefail
cd "$(dirname "$0")/../../.."
umask 077
set -o noclobber
for name in SUPERUSER_PASSWORD OWNER_PASSWORD SERVICE_PASSWORD TAG_SECRET; do
  echo "REGISTRAR_${name}=$(od -An -tx1 -N32 /dev/urandom | tr -d ' \n')"
done > .env

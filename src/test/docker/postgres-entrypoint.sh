#!/bin/bash
# Handles POSTGRES_USER, _PASSWORD, _DB and _INITDB_ARGS and the SQL scripts of /docker-entrypoint-initdb.d like the official
# image's entrypoint, and ignores the others.
set -euo pipefail

if [ "${1:0:1}" = '-' ]; then
  set -- postgres "$@"
fi
if [ "$1" = postgres ] && [ "$(id -u)" = 0 ]; then
  install -d -m 700 -o postgres -g postgres "$PGDATA"
  chown -R postgres:postgres "$PGDATA"
  exec setpriv --reuid postgres --regid postgres --clear-groups "$0" "$@"
fi
if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?is required}"
  user=${POSTGRES_USER:-postgres}
  database=${POSTGRES_DB:-$user}
  # shellcheck disable=SC2086 # several arguments in one variable, as the official image has them
  initdb --username="$user" --pwfile=<(echo "$POSTGRES_PASSWORD") --encoding=UTF8 --auth=scram-sha-256 \
    --pgdata="$PGDATA" ${POSTGRES_INITDB_ARGS:---locale=C.UTF-8}
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  if [ "$database" != postgres ]; then
    echo "create database \"$database\"" | postgres --single -j -D "$PGDATA" postgres >/dev/null
  fi
  # Also without scripts: Testcontainers waits until readiness was logged twice.
  sockets=/var/run/postgresql
  pg_ctl --pgdata="$PGDATA" --options="-c listen_addresses='' -c unix_socket_directories=$sockets" --wait start
  for script in /docker-entrypoint-initdb.d/*.sql; do
    [ ! -e "$script" ] || PGPASSWORD=$POSTGRES_PASSWORD psql --no-psqlrc --set ON_ERROR_STOP=1 --host "$sockets" \
      --username "$user" --dbname "$database" --file "$script"
  done
  pg_ctl --pgdata="$PGDATA" --mode=fast --wait stop
fi
exec "$@"

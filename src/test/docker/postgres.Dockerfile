# A stand-in for postgres:18, see README.md. Built by build-stand-ins.sh in a folder that has the two archives.
FROM scratch
ADD rootfs.tar /
ADD postgres.txz /usr/local/
RUN sed -i "s/^#\?listen_addresses.*/listen_addresses = '*'/" /usr/local/share/postgresql/postgresql.conf.sample \
    && groupadd --system --gid 999 postgres \
    && useradd --system --uid 999 --gid postgres --home-dir /var/lib/postgresql postgres \
    && install -d -o postgres -g postgres /var/lib/postgresql/18/docker /var/run/postgresql
COPY postgres-entrypoint.sh /usr/local/bin/
ENV PGDATA=/var/lib/postgresql/18/docker LANG=C.UTF-8
EXPOSE 5432
STOPSIGNAL SIGINT
ENTRYPOINT ["postgres-entrypoint.sh"]
CMD ["postgres"]

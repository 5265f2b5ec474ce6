package dev.registrar.embedded;

import java.nio.file.Path;

/** Commits a note to an embedded PostgreSQL and dies as by kill -9, without running a shutdown hook. */
final class ServiceThatDies {
    private ServiceThatDies() {}

    public static void main(String[] arguments) throws Exception {
        var server = EmbeddedPostgresServer.start(EmbeddedPostgresServerTest.settings(Path.of(arguments[0]), 0));
        EmbeddedPostgresServerTest.execute(server, "create table note (content text)");
        EmbeddedPostgresServerTest.execute(server, "insert into note values ('committed before the kill')");
        Runtime.getRuntime().halt(137);
    }
}

package dev.registrar.embedded;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** The connection details of the embedded PostgreSQL. */
record EmbeddedPostgresConnection(EmbeddedPostgresServer server) implements JdbcConnectionDetails {
    @Override
    public String getJdbcUrl() {
        return server.jdbcUrl();
    }

    @Override
    public String getUsername() {
        return server.username();
    }

    @Override
    public String getPassword() {
        return server.password();
    }
}

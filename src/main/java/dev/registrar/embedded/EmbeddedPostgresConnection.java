package dev.registrar.embedded;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** The connection details of the embedded PostgreSQL, which trusts every user of this machine. */
record EmbeddedPostgresConnection(String getJdbcUrl) implements JdbcConnectionDetails {
    @Override
    public String getUsername() {
        return "postgres";
    }

    @Override
    public String getPassword() {
        return "";
    }
}

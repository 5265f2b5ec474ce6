package dev.registrar.embedded;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;

/** How Spring Boot's pool and Flyway reach the embedded PostgreSQL, which trusts whoever is on this machine. */
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

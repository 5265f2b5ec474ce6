package dev.registrar.embedded;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Starts the embedded PostgreSQL if no other database is configured, and logs which database is used. */
@Configuration(proxyBeanMethods = false)
class EmbeddedPostgresConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresConfiguration.class);

    EmbeddedPostgresConfiguration(Environment environment) {
        if (!NoDatabaseConfigured.in(environment)) {
            LOG.info("Database: {}", DatabaseInUse.configured(environment).name());
        }
    }

    @Bean
    DatabaseInUse databaseInUse(ObjectProvider<EmbeddedPostgresServer> embedded, Environment environment) {
        return embedded.stream()
                .findAny()
                .map(EmbeddedPostgresServer::inUse)
                .orElseGet(() -> DatabaseInUse.configured(environment));
    }

    /*
     * The server stops last: the pool depends on the connection details and these on the server, and Spring destroys
     * beans in reverse order.
     */
    @Configuration(proxyBeanMethods = false)
    @Conditional(NoDatabaseConfigured.class)
    static class Embedded {
        @Bean
        EmbeddedPostgresServer embeddedPostgres(
                EmbeddedPostgresSettings settings, ObjectProvider<EarlyDatabaseStart> early) {
            return early.stream()
                    .findAny()
                    .flatMap(EarlyDatabaseStart::await)
                    .orElseGet(() -> EmbeddedPostgresServer.start(settings));
        }

        @Bean
        EmbeddedTagSecret embeddedTagSecret(EmbeddedPostgresServer server) {
            return server.tagSecret();
        }

        @Bean
        JdbcConnectionDetails embeddedPostgresConnection(EmbeddedPostgresServer server) {
            return new Connection(server);
        }

        private record Connection(EmbeddedPostgresServer server) implements JdbcConnectionDetails {
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
    }
}

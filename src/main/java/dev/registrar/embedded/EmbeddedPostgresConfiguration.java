package dev.registrar.embedded;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Gives the service its own PostgreSQL when no other database is configured, and says which one is used. */
@Configuration(proxyBeanMethods = false)
class EmbeddedPostgresConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresConfiguration.class);

    EmbeddedPostgresConfiguration(Environment environment) {
        var url = environment.getProperty("spring.datasource.url");
        if (StringUtils.hasText(url)) {
            LOG.info("Database: {}", withoutCredentials(url));
        }
    }

    static String withoutCredentials(String url) {
        return url.replaceFirst("[?].*", "").replaceFirst("//[^/]*@", "//");
    }

    /*
     * Stopped last: the connection pool is made from the connection details and those from the server, and Spring
     * destroys in the opposite order.
     */
    @Configuration(proxyBeanMethods = false)
    @Conditional(NoDatabaseConfigured.class)
    static class Embedded {
        @Bean
        EmbeddedPostgresServer embeddedPostgres(EmbeddedPostgresSettings settings) {
            return EmbeddedPostgresServer.start(settings);
        }

        @Bean
        JdbcConnectionDetails embeddedPostgresConnection(EmbeddedPostgresServer server) {
            return new EmbeddedPostgresConnection(server.jdbcUrl());
        }
    }
}

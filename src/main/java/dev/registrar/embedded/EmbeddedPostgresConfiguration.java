package dev.registrar.embedded;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Starts the embedded PostgreSQL if no other database is configured, and logs which database is used. */
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
     * The server stops last: the pool depends on the connection details and these on the server, and Spring destroys
     * beans in reverse order.
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

package dev.registrar.testdatabase;

import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;

/**
 * A fresh database for the application context of a Spring Boot test, which is dropped when the context is closed:
 * {@code @SpringBootTest @Import(TestDatabaseConfiguration.class)}. It takes the place of
 * {@code spring.datasource.url}.
 */
/* Without @Configuration, so that no component scan finds it. */
public final class TestDatabaseConfiguration {

    @Bean
    TestDatabase registrarTestDatabase() {
        return TestDatabase.create();
    }

    @Bean
    JdbcConnectionDetails registrarTestConnectionDetails(TestDatabase database) {
        return new JdbcConnectionDetails() {
            @Override
            public String getJdbcUrl() {
                return database.url();
            }

            @Override
            public String getUsername() {
                return database.username();
            }

            @Override
            public String getPassword() {
                return database.password();
            }
        };
    }
}

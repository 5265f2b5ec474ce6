package dev.registrar.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

@ExtendWith(OutputCaptureExtension.class)
class EmbeddedPostgresConfigurationTest {
    @EnableConfigurationProperties(EmbeddedPostgresSettings.class)
    @Configuration(proxyBeanMethods = false)
    static class Settings {}

    @TempDir
    private Path parent;

    @AfterEach
    void keep_the_binaries() throws IOException {
        Files.deleteIfExists(parent.resolve("postgres-binaries"));
    }

    @Test
    @Tag("thorough")
    void without_a_configured_database_the_pool_uses_the_embedded_one(CapturedOutput output) throws IOException {
        embedded().run(context -> {
            var pool = context.getBean(HikariDataSource.class);

            assertThat(new JdbcTemplate(pool).queryForObject("show server_version", String.class))
                    .startsWith("18.");
            assertThat(output).contains("Database: embedded PostgreSQL 18.").contains("data in " + parent);
        });
    }

    @Test
    @Tag("thorough")
    void the_pool_closes_before_the_server_stops() throws IOException {
        embedded().run(context -> {
            var beans = context.getBeanFactory();

            assertThat(beans.getDependentBeans("embeddedPostgres")).contains("embeddedPostgresConnection");
            assertThat(beans.getDependentBeans("embeddedPostgresConnection")).contains("dataSource");
        });
    }

    @Test
    void with_a_configured_database_nothing_embedded_starts(CapturedOutput output) {
        service("jdbc:postgresql://db.example/registrar?user=office&password=secret")
                .run(context -> {
                    assertThat(context).doesNotHaveBean(EmbeddedPostgresServer.class);
                    assertThat(output)
                            .contains("Database: jdbc:postgresql://db.example/registrar")
                            .doesNotContain("secret");
                    assertThat(parent).isEmptyDirectory();
                });
    }

    @Test
    void a_port_out_of_range_is_refused() {
        service("")
                .withPropertyValues("registrar.embedded.port=70000")
                .run(context -> assertThat(context).hasFailed());
    }

    private ApplicationContextRunner embedded() throws IOException {
        Files.createSymbolicLink(parent.resolve("postgres-binaries"), EmbeddedPostgresServerTest.unpackedBinaries());
        return service("");
    }

    private ApplicationContextRunner service(String url) {
        return new ApplicationContextRunner()
                .withUserConfiguration(Settings.class, EmbeddedPostgresConfiguration.class)
                .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                .withPropertyValues(
                        "spring.datasource.url=" + url,
                        "registrar.embedded.data-directory=" + parent.resolve("postgres"));
    }
}

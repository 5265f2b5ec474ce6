package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Secrets come from files, whose names are those of the settings, as Docker and Kubernetes mount them. */
@Tag("thorough")
class SecretFilesTest {
    private static final String PASSWORD = "spring.datasource.password";

    private static EmbeddedPostgres server;

    @TempDir
    private Path secrets;

    @BeforeAll
    static void start() throws IOException, SQLException {
        server = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start();
        try (Connection connection = DriverManager.getConnection(url(), "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute("create role keeper login superuser password 'from a file'");
            try (ResultSet rules = statement.executeQuery("show hba_file")) {
                rules.next();
                Files.writeString(Path.of(rules.getString(1)), """
                        host all keeper 127.0.0.1/32 scram-sha-256
                        host all all 127.0.0.1/32 trust
                        """);
            }
            statement.execute("select pg_reload_conf()");
        }
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static String url() {
        return "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(server.getPort());
    }

    private ConfigurableApplicationContext serviceWithSecrets() {
        return RegistrarApplication.application()
                .run(
                        "--spring.config.import=configtree:%s/".formatted(secrets),
                        "--server.port=0",
                        "--spring.flyway.connect-retries=0",
                        "--spring.datasource.url=" + url());
    }

    /* An editor ends the last line of a file; the line end is not part of the password. */
    @Test
    void the_user_and_the_password_of_the_database_come_from_files() throws IOException {
        Files.writeString(secrets.resolve("spring.datasource.username"), "keeper\n");
        Files.writeString(secrets.resolve(PASSWORD), "from a file\n");
        Path nested = Files.createDirectories(secrets.resolve("spring/security"));
        Files.writeString(nested.resolve("example-secret"), "of the console\n");

        try (ConfigurableApplicationContext service = serviceWithSecrets()) {
            int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);

            assertThat(new Api(port).get("/actuator/health").expect(200).text()).doesNotContain("from a file");
            assertThat(service.getEnvironment().getProperty("spring.security.example-secret"))
                    .isEqualTo("of the console");
        }
    }

    @Test
    void a_wrong_password_in_the_file_ends_the_start() throws IOException {
        Files.writeString(secrets.resolve("spring.datasource.username"), "keeper");
        Files.writeString(secrets.resolve(PASSWORD), "of a former time");

        assertThatThrownBy(() -> serviceWithSecrets().close())
                .rootCause()
                .hasMessageContaining("password authentication failed for user \"keeper\"");
    }
}

package dev.registrar.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.RegistrarApplication;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The service with a database server that is stopped and started again. */
@Tag("thorough")
class DatabaseRestartTest {
    private final EmbeddedPostgresSettings settings;

    DatabaseRestartTest(@TempDir Path parent) throws IOException {
        settings = EmbeddedPostgresServerTest.settings(parent.resolve("postgres"), freePort());
        Files.createSymbolicLink(parent.resolve("postgres-binaries"), EmbeddedPostgresServerTest.unpackedBinaries());
    }

    private static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    @Test
    void the_service_continues_after_a_restart_of_its_database() throws Exception {
        EmbeddedPostgresServer server = EmbeddedPostgresServer.start(settings);
        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(RegistrarApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=" + server.jdbcUrl(),
                        "--spring.datasource.username=" + server.username(),
                        "--spring.datasource.password=" + server.password())) {
            Api api = new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
            assertThat(defineCourse(api).status()).isEqualTo(201);

            server.close();
            Answer meanwhile = defineCourse(api);
            assertThat(meanwhile.status()).isIn(503, 504);
            // Without a key, the response does not suggest a retry: the append may have been committed.
            assertThat(meanwhile.header("Retry-After") != null).isEqualTo(meanwhile.status() == 503);
            assertThat(api.get("/actuator/health/readiness").status()).isEqualTo(200);

            server = EmbeddedPostgresServer.start(settings);
            await().untilAsserted(() -> assertThat(defineCourse(api).status()).isEqualTo(201));
        } finally {
            server.close();
            Files.delete(settings.dataDirectory().resolveSibling("postgres-binaries"));
        }
    }

    private static Answer defineCourse(Api api) {
        return api.post("/api/courses", "{\"title\": \"Greek\", \"capacity\": 5}");
    }
}

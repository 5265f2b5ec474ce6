package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start without the demo login does not pay for it: no endpoint of Spring's Authorization Server is loaded. */
@Tag("thorough")
class DemoLoginClassesTest {
    private static final String ISSUER = "org.springframework.security.oauth2.server.authorization.web.";

    @TempDir
    private Path folder;

    @Test
    void endpoints_of_the_issuer_are_loaded_with_the_setting_only() throws IOException, SQLException {
        assertThat(loaded("false", "dev.registrar.http.CourseController")).isPositive();
        assertThat(loaded("false", ISSUER)).isZero();
        assertThat(loaded("true", ISSUER)).isPositive();
    }

    private long loaded(String demoLogin, String name) throws IOException, SQLException {
        Path log = folder.resolve("classes-%s.log".formatted(demoLogin));
        if (!Files.exists(log)) {
            try (TestDatabase database = StoreDatabase.migrated();
                    ServiceInProcess service = ServiceInProcess.start(
                            database,
                            "-Dregistrar.demo-login=" + demoLogin,
                            "-Xlog:class+load=info:file=%s:none".formatted(log))) {
                await().until(service::isReady);
            }
        }
        return Files.readAllLines(log).stream()
                .filter(line -> line.startsWith(name))
                .count();
    }
}

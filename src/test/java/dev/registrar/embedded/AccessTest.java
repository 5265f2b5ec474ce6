package dev.registrar.embedded;

import static dev.registrar.embedded.EmbeddedPostgresServerTest.answer;
import static dev.registrar.embedded.EmbeddedPostgresServerTest.execute;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The embedded PostgreSQL lets the service in, and no other user of the machine. */
@Tag("thorough")
class AccessTest {
    private static final String OPEN_RULE = "host all all 127.0.0.1/32 trust\n";

    private final EmbeddedPostgresSettings settings;
    private final Path parent;
    private final Path binaries;
    private final Path passwordFile;

    AccessTest(@TempDir Path parent) throws IOException {
        this.parent = parent;
        settings = EmbeddedPostgresServerTest.settings(parent.resolve("postgres"), 0);
        passwordFile = parent.resolve("postgres/registrar.pgpass");
        binaries = Files.createSymbolicLink(
                parent.resolve("postgres-binaries"), EmbeddedPostgresServerTest.unpackedBinaries());
    }

    @AfterEach
    void keep_the_binaries() throws IOException {
        Files.delete(binaries);
    }

    private static SQLException refused(EmbeddedPostgresServer server, String user, String password) {
        return catchThrowableOfType(
                SQLException.class, () -> DriverManager.getConnection(server.jdbcUrl(), user, password));
    }

    @ParameterizedTest
    @CsvSource({"postgres, ''", "postgres, postgres", "registrar_service, ''", "registrar_service, wrong", "root, ''"})
    void a_role_without_its_password_is_refused(String role, String password) throws IOException {
        try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(settings)) {
            assertThat(refused(server, role, password).getSQLState()).isIn("28P01", "28000", "08004");
        }
    }

    @Test
    void the_role_of_the_service_owns_the_database_and_is_no_superuser() throws Exception {
        try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(settings)) {
            execute(server, "create schema own");
            execute(server, "create table public.note (content text)");

            assertThat(answer(server, "show is_superuser")).isEqualTo("off");
            assertThatThrownBy(() -> execute(server, "copy note from program 'id'"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            failure -> assertThat(failure.getSQLState()).isEqualTo("42501"));
        }
    }

    @Test
    void what_it_writes_is_the_owners_alone() throws Exception {
        EmbeddedPostgresServer.start(settings).close();

        assertThat(permissions(passwordFile)).isEqualTo("rw-------");
        assertThat(permissions(parent.resolve("postgres.log"))).isEqualTo("rw-------");
        assertThat(permissions(settings.dataDirectory())).isEqualTo("rwx------");
        assertThat(permissions(binaries.toRealPath())).isEqualTo("rwx------");
        assertThat(parent.resolve("postgres.first-password")).doesNotExist();
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void another_user_of_the_machine_reads_neither_passwords_nor_data() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "Only root can become another user");
        EmbeddedPostgresServer.start(settings).close();
        // Otherwise the temporary folder itself would keep the other user out.
        Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path open = Files.writeString(parent.resolve("open.txt"), "for all");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(asNobody("cat", open.toString())).isZero();
        assertThat(asNobody("cat", passwordFile.toString())).isNotZero();
        assertThat(asNobody("ls", settings.dataDirectory().toString())).isNotZero();
        assertThat(asNobody("ls", binaries.toRealPath().toString())).isNotZero();
    }

    private static int asNobody(String... command) throws Exception {
        List<String> all = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
        all.addAll(List.of(command));
        Process process = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(process.waitFor(60, SECONDS)).isTrue();
        return process.exitValue();
    }

    @Test
    void a_missing_password_file_is_an_error_that_says_how_to_draw_new_ones() throws Exception {
        EmbeddedPostgresServer.start(settings).close();
        Files.delete(passwordFile);

        assertThatThrownBy(() -> EmbeddedPostgresServer.start(settings))
                .isInstanceOf(EmbeddedPostgresFailure.class)
                .hasMessageContaining(passwordFile.toString())
                .hasMessageContaining(OPEN_RULE.strip());

        Files.writeString(settings.dataDirectory().resolve("pg_hba.conf"), OPEN_RULE);
        try (EmbeddedPostgresServer server = EmbeddedPostgresServer.start(settings)) {
            assertThat(answer(server, "select 1")).isEqualTo("1");
            assertThat(refused(server, "postgres", "wrong").getSQLState()).isEqualTo("28P01");
        }
    }

    @Test
    void passwords_are_not_shown() {
        Passwords passwords = Passwords.random();

        assertThat(passwords.toString()).doesNotContain(passwords.superuser(), passwords.service());
        assertThat(passwords.superuser()).hasSize(43).isNotEqualTo(passwords.service());
    }
}

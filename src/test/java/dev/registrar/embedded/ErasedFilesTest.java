package dev.registrar.embedded;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After the statements of docs/data-life.md no file of the server has what was erased. */
@Tag("thorough")
class ErasedFilesTest {
    private static final String NAME = "Ann Archer 4711";

    /** More than the segments that the server keeps with the sizes below. */
    private static final int SEGMENTS = 64;

    @Test
    void no_file_of_the_server_has_an_erased_name(@TempDir Path parent) throws Exception {
        Files.createSymbolicLink(parent.resolve("postgres-binaries"), EmbeddedPostgresServerTest.unpackedBinaries());
        Path folder = parent.resolve("postgres");
        try (var server = EmbeddedPostgresServer.start(EmbeddedPostgresServerTest.settings(folder, 0))) {
            String url = server.jdbcUrl();
            PostgresEventStore.migrate(url, server.username(), server.password(), StoreOptions.defaults());
            try (PostgresEventStore store = PostgresEventStore.open(url, server.username(), server.password())) {
                store.append(IntStream.range(0, 500)
                        .mapToObj(i -> Event.of("Registered", "{\"name\":\"%s\"}".formatted(NAME), "student:ann"))
                        .toList());
                asSuperuser(url, folder, "analyze", "checkpoint");
                assertThat(filesWith(NAME, folder)).isNotEmpty();

                store.erase(
                        Query.all(),
                        stored -> new Masking.Masked("{}", "{}", null, Set.of()),
                        Actor.of("issuer", "office"),
                        "request 17");
                assertThat(filesWith(NAME, folder)).isNotEmpty();
            }

            asSuperuser(
                    url,
                    folder,
                    "alter system set min_wal_size = '2MB'",
                    "alter system set max_wal_size = '2MB'",
                    "select pg_reload_conf()",
                    "vacuum (full, analyze)",
                    "checkpoint");
            // A switch fills the rest of its segment with zeros, also of one that is recycled.
            for (int i = 0; i < SEGMENTS; i++) {
                asSuperuser(url, folder, "select pg_logical_emit_message(false, '', '')", "select pg_switch_wal()");
            }
            asSuperuser(url, folder, "checkpoint");

            assertThat(filesWith(NAME, folder)).isEmpty();
        }
    }

    private static void asSuperuser(String url, Path folder, String... statements) throws SQLException, IOException {
        String password = Passwords.read(Access.passwordFile(folder)).superuser();
        try (Connection connection = DriverManager.getConnection(url, Passwords.SUPERUSER, password);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private static List<Path> filesWith(String text, Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> read(file).contains(text))
                    .toList();
        }
    }

    /* A file may go while it is looked for: it has nothing then. */
    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file, ISO_8859_1) : "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

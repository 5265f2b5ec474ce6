package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;

/** A start as its operator sees it: what is checked first, what is logged, and what ends it. */
@Tag("thorough")
@ExtendWith(OutputCaptureExtension.class)
class StartTest {
    private static final int MOST_LINES = 15;

    @TempDir
    private Path parent;

    private Path data;

    @BeforeEach
    void use_the_binaries_of_other_tests() throws IOException {
        parent = parent.toRealPath();
        data = parent.resolve("postgres");
        Path unpacked =
                Files.createDirectories(Path.of("target", "postgres-binaries").toAbsolutePath());
        Files.createSymbolicLink(parent.resolve("postgres-binaries"), unpacked);
    }

    @AfterEach
    void keep_the_binaries() throws IOException {
        Files.delete(parent.resolve("postgres-binaries"));
    }

    @Test
    void a_first_start_logs_at_most_15_lines_and_then_one_message(CapturedOutput output)
            throws IOException, SQLException {
        try (ConfigurableApplicationContext service =
                startEmbedded("--server.port=0", "--registrar.warm-up.enabled=true")) {
            List<String> lines = output.getOut().lines().toList();
            int ready = indexOf(lines, "Registrar is ready after ");
            assertThat(lines.subList(0, ready)).hasSizeLessThanOrEqualTo(MOST_LINES);

            List<String> message = lines.subList(ready + 1, ready + 7);
            String url = "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port");
            assertThat(message.get(0)).isEqualTo("  URL       " + url);
            assertThat(message.get(1))
                    .isEqualTo("  API       %s/swagger-ui.html (OpenAPI: %s/v3/api-docs)".formatted(url, url));
            assertThat(message.get(2))
                    .startsWith("  Database  embedded PostgreSQL 18.")
                    .endsWith(", schema registrar, data in " + data);
            assertThat(message.get(4))
                    .isEqualTo("  Stop      Ctrl-C, or kill "
                            + ProcessHandle.current().pid());
            assertThat(message.get(5))
                    .isEqualTo("  Reset     stop the service, and delete the folder %s. All data is lost", data);

            Path passwords = data.resolve("registrar.pgpass");
            String psql = "            PGPASSFILE='%s' psql -U registrar_service ".formatted(passwords);
            assertThat(message.get(3)).startsWith(psql);
            String password = Files.readAllLines(passwords).getLast().replaceFirst(".*:", "");
            try (Connection connection = DriverManager.getConnection(
                    "jdbc:" + message.get(3).substring(psql.length()), "registrar_service", password)) {
                assertThat(connection.isValid(0)).isTrue();
            }
        }
    }

    @Test
    void the_reset_that_the_message_names_makes_the_store_empty(CapturedOutput output) throws SQLException {
        try (TestDatabase database = TestDatabase.create()) {
            try (ConfigurableApplicationContext service = start(database)) {
                assertThat(api(service)
                                .post("/api/courses", "{\"title\": \"Latin\", \"capacity\": 1}")
                                .position())
                        .isEqualTo(1);
            }
            List<String> lines = output.getOut().lines().toList();
            assertThat(lines)
                    .contains("  Database  %s, schema registrar".formatted(withoutParameters(database.url())))
                    .contains("            psql -U %s %s"
                            .formatted(
                                    database.username(),
                                    withoutParameters(database.url()).substring("jdbc:".length())));
            assertThat(lines)
                    .contains("  Reset     stop all instances, and drop the schema registrar and those of its views,"
                            + " registrar_*. All data is lost");
            drop(database, "registrar", "registrar\\_%");

            try (ConfigurableApplicationContext service = start(database)) {
                assertThat(api(service)
                                .post("/api/courses", "{\"title\": \"Greek\", \"capacity\": 1}")
                                .position())
                        .isEqualTo(1);
            }
        }
    }

    @Test
    void a_taken_port_ends_the_start_before_the_database_starts(CapturedOutput output) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();

            assertThatThrownBy(() -> startEmbedded("--server.port=" + taken)).isInstanceOf(PortInUseException.class);

            assertThat(output)
                    .contains("Port %s is used by another program".formatted(taken))
                    .contains("--server.port=%s".formatted(taken + 1))
                    .doesNotContain("Database");
            assertThat(data).doesNotExist();
        }
    }

    @Test
    void a_taken_management_port_ends_the_start_before_the_database_starts(CapturedOutput output) throws IOException {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int taken = other.getLocalPort();

            assertThatThrownBy(() -> startEmbedded(
                            "--server.port=0",
                            "--management.server.port=" + taken,
                            "--management.server.address=127.0.0.1"))
                    .isInstanceOf(PortInUseException.class);

            assertThat(output).contains("--management.server.port=%s".formatted(taken + 1));
            assertThat(data).doesNotExist();
        }
    }

    /* The web server is made before the beans that use the database. */
    @Test
    void a_start_that_fails_leaves_no_database_server_behind(CapturedOutput output) {
        assertThatThrownBy(() -> startEmbedded("--server.port=0", "--server.tomcat.max-connections=many"));

        assertThat(output).contains("server.tomcat.max-connections");
        assertThat(data).isNotEmptyDirectory();
        assertThat(data.resolve("postmaster.pid")).doesNotExist();
    }

    @Test
    void a_start_with_another_secret_of_tags_or_none_is_refused(CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create()) {
            start(database).close();

            assertThatThrownBy(() -> RegistrarApplication.application()
                            .run(arguments(database, "--registrar.enrollment.tag-secret=" + "x".repeat(32)))
                            .close())
                    .rootCause()
                    .hasMessageContaining("made under another secret");
            assertThatThrownBy(() -> RegistrarApplication.application()
                            .run(arguments(database, "--spring.config.location=classpath:/application.yaml"))
                            .close())
                    .rootCause()
                    .hasMessage("The setting registrar.enrollment.tag-secret is missing.");
            assertThat(output).contains("Start with the secret of the other instances", "openssl rand -hex 32");
        }
    }

    @Test
    void a_secret_of_tags_that_is_too_short_is_refused_without_showing_it(CapturedOutput output) {
        try (TestDatabase database = TestDatabase.create()) {
            assertThatThrownBy(() -> RegistrarApplication.application()
                    .run(arguments(database, "--registrar.enrollment.tag-secret=of-31-characters-which-is-short"))
                    .close());

            assertThat(output)
                    .contains("A secret of tags must have at least 32 characters, but has 31")
                    .doesNotContain("of-31-characters-which-is-short");
        }
    }

    @Test
    void a_service_that_stops_when_ready_has_migrated_the_schema(CapturedOutput output) throws SQLException {
        try (TestDatabase database = TestDatabase.create()) {
            runMain(arguments(database, "--registrar.stop-when-ready=true"));

            assertThat(output).containsSubsequence("Migrated the schema registrar", "Registrar is ready", "shutdown");
            try (Connection connection = database.dataSource().getConnection();
                    Statement statement = connection.createStatement()) {
                assertThat(statement.execute("select incarnation from registrar.store"))
                        .isTrue();
            }
        }
    }

    /* The role's defaults apply to each session that does not set its own. */
    @Test
    void defaults_of_the_database_and_the_pool_do_not_change_the_service() throws SQLException {
        try (TestDatabase database = TestDatabase.create()) {
            for (String setting : List.of(
                    "default_transaction_isolation = 'serializable'",
                    "statement_timeout = '150ms'",
                    "lock_timeout = '1ms'",
                    "transaction_timeout = '150ms'",
                    "idle_session_timeout = '1s'",
                    "\"TimeZone\" = 'Asia/Kathmandu'")) {
                execute(database, "alter database %s set %s".formatted(database.name(), setting));
            }
            try (ConfigurableApplicationContext service = RegistrarApplication.application()
                    .run(arguments(database, "--spring.datasource.hikari.auto-commit=false"))) {
                String course = api(service).course(1);
                assertThat(api(service)
                                .get("/api/courses/%s?consistency=strong".formatted(course))
                                .status())
                        .isEqualTo(200);
                assertThat(settings(service.getBean(HikariDataSource.class)))
                        .isEqualTo("read committed, 0, 0, 0, 0, 30s, UTC");
                assertThat(settings(database.pool(1))).startsWith("serializable, 150ms");
            }
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String settings(HikariDataSource pool) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            try (ResultSet row = statement.executeQuery("""
                    select string_agg(current_setting(name), ', ' order by number)
                    from unnest(array[
                        'default_transaction_isolation', 'statement_timeout', 'lock_timeout', 'transaction_timeout',
                        'idle_session_timeout', 'idle_in_transaction_session_timeout', 'TimeZone'
                    ]) with ordinality setting (name, number)""")) {
                row.next();
                return row.getString(1);
            }
        }
    }

    @Test
    void a_time_zone_that_only_java_knows_does_not_stop_the_start() throws IOException {
        try (TestDatabase database = TestDatabase.create();
                ServiceInProcess service = ServiceInProcess.start(database, "-Duser.timezone=PST")) {
            await().until(service::isReady);
        }
    }

    /* In Turkish, the small letter of I is a letter without a dot. */
    @Test
    void meters_have_the_same_names_and_tags_in_every_locale() throws IOException {
        try (TestDatabase database = TestDatabase.create();
                ServiceInProcess service =
                        ServiceInProcess.start(database, "-Duser.language=tr", "-Duser.country=TR")) {
            await().until(service::isReady);
            assertThat(service.api().get("/actuator/prometheus").text())
                    .contains("state=\"disabled\"")
                    .doesNotContain("\u0131");
        }
    }

    /* The service sets the locale and the zone of its JVM; later tests run in those of the machine. */
    static void runMain(String[] arguments) {
        Locale locale = Locale.getDefault();
        TimeZone zone = TimeZone.getDefault();
        try {
            RegistrarApplication.main(arguments);
        } finally {
            Locale.setDefault(locale);
            TimeZone.setDefault(zone);
        }
    }

    private static void drop(TestDatabase database, String schema, String pattern) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    do $$
                    declare
                        name text;
                    begin
                        for name in select nspname from pg_namespace where nspname = '%s' or nspname like '%s' loop
                            execute format('drop schema %%I cascade', name);
                        end loop;
                    end
                    $$""".formatted(schema, pattern));
        }
    }

    private ConfigurableApplicationContext startEmbedded(String... settings) {
        List<String> all = new ArrayList<>(List.of("--registrar.embedded.data-directory=" + data));
        all.addAll(List.of(settings));
        return RegistrarApplication.application().run(all.toArray(String[]::new));
    }

    private static ConfigurableApplicationContext start(TestDatabase database) {
        return RegistrarApplication.application().run(arguments(database));
    }

    private static String[] arguments(TestDatabase database, String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password()));
        all.addAll(List.of(settings));
        return all.toArray(String[]::new);
    }

    private static Api api(ConfigurableApplicationContext service) {
        return new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    private static String withoutParameters(String url) {
        return url.replaceFirst("[?].*", "");
    }

    private static int indexOf(List<String> lines, String part) {
        List<String> found = lines.stream().filter(line -> line.contains(part)).toList();
        assertThat(found).hasSize(1);
        return lines.indexOf(found.getFirst());
    }
}

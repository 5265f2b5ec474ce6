package dev.registrar.benchmarks;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.testdatabase.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/** The databases of a run, on the server that tests and benchmarks share: templates and a copy for each measurement. */
public final class PreparedDatabases implements AutoCloseable {
    private static final int BATCH = 1_000;
    private static final Map<String, String> BOOLEANS = Map.of("true", "on", "false", "off");

    private static final List<String> RELEVANT_SETTINGS = List.of(
            "server_version",
            "fsync",
            "synchronous_commit",
            "full_page_writes",
            "shared_buffers",
            "wal_buffers",
            "wal_segment_size",
            "min_wal_size",
            "max_wal_size",
            "wal_level",
            "max_connections");

    private static final String OWN_TABLES = """
            create schema benchmarks;
            create table benchmarks.bare_events (
                id bigint generated always as identity primary key,
                type text not null,
                tags text[] not null,
                payload text not null,
                metadata text not null
            )""";

    private final TestServer server = TestServer.shared();
    private final boolean few;
    private final Map<Template, String> templates = new EnumMap<>(Template.class);
    private int copies;

    /**
     * Creates no database yet: a template is prepared on first use.
     *
     * @param few whether the templates contain few events
     */
    public PreparedDatabases(boolean few) {
        this.few = few;
    }

    /** A copy of a template, for one measurement. */
    public final class FreshDatabase implements AutoCloseable {
        private final String name;
        private final MeasuredDatabase measured;

        private FreshDatabase(String name, MeasuredDatabase measured) {
            this.name = name;
            this.measured = measured;
        }

        public MeasuredDatabase measured() {
            return measured;
        }

        @Override
        public void close() {
            execute(server.url(), "drop database if exists %s with (force)".formatted(name));
        }
    }

    /** Returns the server's settings that affect a measurement. */
    public Map<String, String> serverSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("kind", server.kind());
        RELEVANT_SETTINGS.forEach(name -> settings.put(name, setting(server.url(), name)));
        return settings;
    }

    /**
     * Copies a template, and prepares the template on first use. The files are copied between two checkpoints, so that
     * every measurement starts after a checkpoint. With few events, the fastest way of copying is used instead.
     *
     * @param settings of the copy, by name
     */
    public FreshDatabase fresh(Template template, Map<String, String> settings) {
        String source = templates.computeIfAbsent(template, this::prepared);
        String name = "benchmark_%s_%s".formatted(ProcessHandle.current().pid(), ++copies);
        execute(
                server.url(),
                "create database %s template %s strategy %s".formatted(name, source, few ? "wal_log" : "file_copy"));
        FreshDatabase fresh = new FreshDatabase(name, measured(name, template));
        settings.forEach((setting, given) -> {
            String value = BOOLEANS.getOrDefault(given, given);
            execute(server.url(), "alter database %s set %s = '%s'".formatted(name, setting, value));
            String seen = setting(fresh.measured().url(), setting);
            if (!seen.equals(value)) {
                fresh.close();
                throw new IllegalStateException("Sessions see %s = %s, not %s: is the benchmarks' user a superuser?"
                        .formatted(setting, seen, value));
            }
        });
        return fresh;
    }

    private String prepared(Template template) {
        long started = System.nanoTime();
        System.out.printf("Preparing the database %s%n", template);
        String name = "template_%s_%s"
                .formatted(ProcessHandle.current().pid(), template.name().toLowerCase(Locale.ROOT));
        execute(server.url(), "create database " + name);
        MeasuredDatabase database = measured(name, template);
        PGSimpleDataSource owner = new PGSimpleDataSource();
        owner.setURL(database.url());
        owner.setUser(database.username());
        owner.setPassword(database.password());
        StoreSchema.migrate(owner, MeasuredDatabase.STORE_SCHEMA);
        execute(database.url(), OWN_TABLES);
        int events = load(database);
        execute(database.url(), "vacuum analyze");
        execute(server.url(), "checkpoint");
        execute(server.url(), "alter database %s allow_connections false".formatted(name));
        System.out.printf(
                Locale.ROOT,
                "Prepared %s: %,d events in %,d s%n",
                template,
                events,
                (System.nanoTime() - started) / 1_000_000_000);
        return name;
    }

    private static int load(MeasuredDatabase database) {
        int loaded = 0;
        try (BenchmarkStore store = BenchmarkStore.on(database)) {
            Iterator<Event> events = database.contents().events().iterator();
            while (events.hasNext()) {
                List<Event> batch = new ArrayList<>(BATCH);
                while (events.hasNext() && batch.size() < BATCH) {
                    batch.add(events.next());
                }
                BenchmarkStore.appended(store.store.append(batch));
                loaded += batch.size();
            }
        }
        return loaded;
    }

    private MeasuredDatabase measured(String name, Template template) {
        return new MeasuredDatabase(server.urlOf(name), server.username(), server.password(), template, few);
    }

    private String setting(String url, String name) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_setting('%s')".formatted(name))) {
            row.next();
            return row.getString(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void execute(String url, String sql) {
        try (Connection connection = connect(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, server.username(), server.password());
    }

    @Override
    public void close() {
        templates.values().forEach(name -> execute(server.url(), "drop database if exists " + name));
    }
}

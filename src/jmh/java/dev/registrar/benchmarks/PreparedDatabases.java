package dev.registrar.benchmarks;

import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.testdatabase.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The databases of a run, on the server that tests and benchmarks share: templates and a copy for each measurement. */
public final class PreparedDatabases implements AutoCloseable {
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
    /** The database in which others are created and dropped. */
    private final MeasuredDatabase maintenance;

    private final String copying;
    private final Map<Template, String> templates = new EnumMap<>(Template.class);
    private final Map<Template, Served> services = new EnumMap<>(Template.class);
    private int copies;

    /**
     * Creates no database yet: a template is prepared on first use.
     *
     * @param measured whether the files are copied between two checkpoints, so that every measurement starts after a
     *     checkpoint, and not in the fastest way
     */
    public PreparedDatabases(boolean measured) {
        this.copying = measured ? "file_copy" : "wal_log";
        this.maintenance =
                new MeasuredDatabase(server.url(), server.username(), server.password(), Template.EMPTY, Map.of());
    }

    /** A copy of a template, for one measurement. */
    record FreshDatabase(String name, MeasuredDatabase measured, MeasuredDatabase maintenance)
            implements AutoCloseable {
        @Override
        public void close() {
            maintenance.execute("drop database if exists %s with (force)".formatted(name));
        }
    }

    /** Returns the server's settings that affect a measurement. */
    public Map<String, String> serverSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("kind", server.kind());
        RELEVANT_SETTINGS.forEach(name -> settings.put(name, maintenance.setting(name)));
        return settings;
    }

    /**
     * Copies a template, and prepares the template on first use.
     *
     * @param settings of the copy, by name
     */
    FreshDatabase fresh(Template template, Map<String, String> settings) {
        String source = templates.computeIfAbsent(template, this::prepared);
        String name = "benchmark_%s_%s".formatted(ProcessHandle.current().pid(), ++copies);
        maintenance.execute("create database %s template %s strategy %s".formatted(name, source, copying));
        FreshDatabase fresh = new FreshDatabase(name, measured(name, template), maintenance);
        settings.forEach((setting, given) -> {
            String value = BOOLEANS.getOrDefault(given, given);
            maintenance.execute("alter database %s set %s = '%s'".formatted(name, setting, value));
            String seen = fresh.measured().setting(setting);
            if (!seen.equals(value)) {
                fresh.close();
                throw new IllegalStateException("Sessions see %s = %s, not %s: is the benchmarks' user a superuser?"
                        .formatted(setting, seen, value));
            }
        });
        return fresh;
    }

    /** A service and its copy of a template. */
    private record Served(FreshDatabase database, ServiceProcess service) implements AutoCloseable {
        @Override
        public void close() {
            service.close();
            database.close();
        }
    }

    /**
     * Returns a copy of a template for all measurements that need a service, and starts the service on first use. Both
     * are there until these databases are closed.
     */
    MeasuredDatabase served(Template template) {
        Served served = services.computeIfAbsent(template, this::start);
        return served.database().measured().with(served.service());
    }

    private Served start(Template template) {
        FreshDatabase database = fresh(template, Map.of());
        try {
            ServiceProcess service = new ServiceProcess(database.measured());
            database.measured().execute("vacuum analyze");
            database.measured().execute("checkpoint");
            return new Served(database, service);
        } catch (IOException failure) {
            database.close();
            throw new UncheckedIOException(failure);
        }
    }

    private String prepared(Template template) {
        System.out.printf("Preparing the database %s%n", template);
        String name = "template_%s_%s"
                .formatted(ProcessHandle.current().pid(), template.name().toLowerCase(Locale.ROOT));
        maintenance.execute("create database " + name);
        MeasuredDatabase database = measured(name, template);
        StoreSchema.migrate(database.dataSource(), MeasuredDatabase.STORE_SCHEMA);
        database.execute(OWN_TABLES);
        try (BenchmarkStore store = BenchmarkStore.on(database)) {
            store.appendAll(database.contents().events());
        }
        database.execute("vacuum analyze");
        maintenance.execute("checkpoint");
        maintenance.execute("alter database %s allow_connections false".formatted(name));
        return name;
    }

    private MeasuredDatabase measured(String name, Template template) {
        return new MeasuredDatabase(server.urlOf(name), server.username(), server.password(), template, Map.of());
    }

    @Override
    public void close() {
        services.values().forEach(Served::close);
        templates.values().forEach(name -> maintenance.execute("drop database if exists " + name));
    }
}

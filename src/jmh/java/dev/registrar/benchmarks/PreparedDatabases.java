package dev.registrar.benchmarks;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.testdatabase.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
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
    /** The database in which others are created and dropped. */
    private final MeasuredDatabase maintenance;

    private final boolean few;
    private final Map<Template, String> templates = new EnumMap<>(Template.class);
    private final Map<Template, Served> services = new EnumMap<>(Template.class);
    private int copies;

    /**
     * Creates no database yet: a template is prepared on first use.
     *
     * @param few whether the templates contain few events
     */
    public PreparedDatabases(boolean few) {
        this.few = few;
        this.maintenance =
                new MeasuredDatabase(server.url(), server.username(), server.password(), Template.EMPTY, few, Map.of());
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
     * Copies a template, and prepares the template on first use. The files are copied between two checkpoints, so that
     * every measurement starts after a checkpoint. With few events, the fastest way of copying is used instead.
     *
     * @param settings of the copy, by name
     */
    FreshDatabase fresh(Template template, Map<String, String> settings) {
        String source = templates.computeIfAbsent(template, this::prepared);
        String name = "benchmark_%s_%s".formatted(ProcessHandle.current().pid(), ++copies);
        maintenance.execute(
                "create database %s template %s strategy %s".formatted(name, source, few ? "wal_log" : "file_copy"));
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
        long started = System.nanoTime();
        System.out.printf("Preparing the database %s%n", template);
        String name = "template_%s_%s"
                .formatted(ProcessHandle.current().pid(), template.name().toLowerCase(Locale.ROOT));
        maintenance.execute("create database " + name);
        MeasuredDatabase database = measured(name, template);
        PGSimpleDataSource owner = new PGSimpleDataSource();
        owner.setURL(database.url());
        owner.setUser(database.username());
        owner.setPassword(database.password());
        StoreSchema.migrate(owner, MeasuredDatabase.STORE_SCHEMA);
        database.execute(OWN_TABLES);
        int events = load(database);
        database.execute("vacuum analyze");
        maintenance.execute("checkpoint");
        maintenance.execute("alter database %s allow_connections false".formatted(name));
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
        return new MeasuredDatabase(server.urlOf(name), server.username(), server.password(), template, few, Map.of());
    }

    @Override
    public void close() {
        services.values().forEach(Served::close);
        templates.values().forEach(name -> maintenance.execute("drop database if exists " + name));
    }
}

package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.PoolAccess;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.testdatabase.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A database of its own with the event store's tables, for tests and benchmarks. */
public final class StoreDatabase implements AutoCloseable {
    private static final Map<String, String> OF_TESTS = Map.of(
            "connection-timeout", "30s",
            "lock-timeout", "1m",
            "statement-timeout", "1m",
            "group.max-wait", "1m",
            "read-connections", "4",
            "resource-lock-connections", "3");

    static final ServerWarnings WARNINGS = new ServerWarnings(new CompositeMeterRegistry());

    private static final int MOST_DELETED = 1_000;

    /** Databases that tests have left, emptied, for the next tests: creating one takes ten times as long. */
    private static final Queue<Emptied> EMPTIED = new ConcurrentLinkedQueue<>();

    private record Emptied(TestDatabase database, String structure) {}

    /** Removes what tests have beside the store: schemas, tables of an application, and the state of projections. */
    private static final String EMPTY = """
            do $$
            declare
                statement text;
            begin
                for statement in
                    select format('drop schema %I cascade', nspname)
                    from pg_namespace
                    where nspname !~ '^(pg_|information_schema$|public$|registrar$)'
                    union all
                    select format('drop table %s cascade', oid::regclass)
                    from pg_class
                    where relnamespace = 'public'::regnamespace
                    and relkind = 'r'
                    union all
                    select format('delete from %s', oid::regclass)
                    from pg_class
                    where relnamespace = 'registrar'::regnamespace
                    and relkind = 'r'
                    and relname ~ '^(projection|stored_states|imported_ranges)'
                loop
                    execute statement;
                end loop;
            end
            $$""";

    /** What tests may have changed in the store's schema; then its database is not used again. */
    private static final String STRUCTURE = """
            select string_agg(part, ';' order by part)
            from (
                select pg_get_functiondef(oid) from pg_proc where pronamespace = 'registrar'::regnamespace
                union all
                select format('%s %s', relname, relkind) from pg_class where relnamespace = 'registrar'::regnamespace
                union all
                select pg_get_constraintdef(oid) from pg_constraint where connamespace = 'registrar'::regnamespace
                union all
                select format('%s %s', tgname, tgenabled)
                from pg_trigger
                where tgrelid in (select oid from pg_class where relnamespace = 'registrar'::regnamespace)
                and not tgisinternal
                union all
                select array_to_string(setconfig, ',')
                from pg_db_role_setting
                where setdatabase = (select oid from pg_database where datname = current_database())
            ) parts (part)""";

    private final TestDatabase database;
    private final boolean isUsedAgain;
    private final String structure;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final List<PostgresEventStore> stores = new ArrayList<>();

    /** An empty store, in a database that another test may have used before. */
    public StoreDatabase() {
        Emptied emptied = EMPTIED.poll();
        database = emptied == null ? migrated() : emptied.database();
        structure = emptied == null ? structure() : emptied.structure();
        isUsedAgain = true;
    }

    /** Creates a database in which the store's migrations have run, a store of its own with its own incarnation. */
    public static TestDatabase migrated() {
        TestDatabase database = TestDatabase.createCopy("migrated", empty -> StoreSchema.migrate(empty, "registrar"));
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update registrar.store set incarnation = default");
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
        return database;
    }

    /** Takes ownership of an empty database, creates the store in it, and closes both together. */
    public StoreDatabase(TestDatabase database) {
        this(database, true);
    }

    private StoreDatabase(TestDatabase database, boolean isEmpty) {
        this.database = database;
        this.structure = "";
        this.isUsedAgain = false;
        if (isEmpty) {
            migrate("registrar");
        }
    }

    /** Takes ownership of a database that already contains a store, and closes both together. */
    public static StoreDatabase of(TestDatabase database) {
        return new StoreDatabase(database, false);
    }

    /** Creates the tables and functions of a store in a schema of their own. */
    public void migrate(String schema) {
        StoreSchema.migrate(database.dataSource(), schema);
    }

    /** The default settings with longer time-outs and fewer connections. */
    public static StoreOptions defaultSettings() {
        return settings(Map.of());
    }

    /**
     * The default settings with the given ones, named relative to {@code registrar.store} as in a configuration file. A
     * time-out that a test does not set is a minute, so that it does not expire on a busy machine.
     */
    public static StoreOptions settings(Map<String, ?> some) {
        Map<String, Object> all = new HashMap<>(OF_TESTS);
        all.putAll(some);
        return serviceSettings(all);
    }

    /**
     * The service's default settings except for some, for benchmarks: how long a statement may take decides whether a
     * caller's deadline is sent to the server, which costs two round trips.
     */
    public static StoreOptions serviceSettings(Map<String, ?> some) {
        return NamedOptions.of(some);
    }

    /** A new store on this database, as another process would open it. */
    public PostgresEventStore newStore() {
        return newStore(InstantSource.system(), defaultSettings());
    }

    public PostgresEventStore newStore(InstantSource clock, StoreOptions settings) {
        PostgresEventStore store =
                PostgresEventStore.open(address(), settings, context(clock, new CompositeMeterRegistry()));
        stores.add(store);
        return store;
    }

    /** The address of the database. */
    public StoreAddress address() {
        return new StoreAddress(database.url(), database.username(), database.password());
    }

    /** The store's connections, closed with this database. */
    public HikariDataSource pool(StoreOptions settings) {
        HikariDataSource pool = StoreConnections.open(address(), settings);
        pools.add(pool);
        return pool;
    }

    /** The statement that initializes a session of the store. */
    public static String sessionSettings() {
        return StoreConnections.sessionSettings(defaultSettings());
    }

    /** A database whose calls use Spring's transactions, as in the service. */
    static StoreContext context(InstantSource clock, MeterRegistry metrics) {
        return StoreContext.standalone()
                .withClock(clock)
                .withMetrics(metrics)
                .withCallerInTransaction(TransactionSynchronizationManager::isActualTransactionActive);
    }

    /** A database on connections that a test can observe. */
    public static Database on(DataSource connections, StoreOptions options, MeterRegistry metrics) {
        return Database.on(connections, options, metrics, () -> false);
    }

    /** A store on connections that a test can observe. */
    public static PostgresEventStore storeOn(DataSource connections, StoreOptions options, MeterRegistry metrics) {
        return new PostgresEventStore(connections, options, context(InstantSource.system(), metrics));
    }

    /** The pool of a store. */
    public static HikariDataSource poolOf(PostgresEventStore store) {
        return PoolAccess.poolOf(store.database());
    }

    /** A connection outside any pool, with the server's own settings. */
    public Connection connect() throws SQLException {
        return database.dataSource().getConnection();
    }

    public TestDatabase database() {
        return database;
    }

    public void execute(String sql) {
        execute(database, sql);
    }

    private static void execute(TestDatabase database, String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Empties the store and begins another incarnation. It deletes a few events, since a truncate creates the files of
     * tables and indexes again.
     */
    public void clear() {
        clear(database);
    }

    private static void clear(TestDatabase database) {
        if (JdbcClient.create(database.dataSource())
                        .sql("select coalesce(max(position), 0) from registrar.events")
                        .query(Long.class)
                        .single()
                > MOST_DELETED) {
            execute(database, """
                    begin;
                    select registrar.lock_store();
                    set local session_replication_role = replica;
                    truncate registrar.events, registrar.event_tags, registrar.idempotency_keys, registrar.imported_ranges,
                        registrar.erasures, registrar.retaggings, registrar.tag_additions;
                    update registrar.store set incarnation = gen_random_uuid();
                    commit""");
        } else {
            execute(database, """
                    begin;
                    select registrar.lock_store();
                    set local session_replication_role = replica;
                    delete from registrar.event_tags;
                    delete from registrar.events;
                    delete from registrar.idempotency_keys;
                    delete from registrar.imported_ranges;
                    delete from registrar.erasures;
                    delete from registrar.retaggings;
                    delete from registrar.tag_additions;
                    update registrar.store set incarnation = gen_random_uuid();
                    commit""");
        }
    }

    /** Makes idempotency keys older by a duration, as if the database's clock had advanced. */
    public void ageKeys(Duration time) {
        execute("update registrar.idempotency_keys set recorded_at = recorded_at - interval '%s'".formatted(time));
    }

    /** Sets the store back to a copy from when it had this number of events; the incarnation stays the same. */
    public void setBackTo(int events) {
        execute("create table older_events as select * from registrar.events where position <= " + events);
        execute("create table older_tags as select * from registrar.event_tags where position <= " + events);
        execute("create table older_store as select * from registrar.store");
        clear();
        execute("insert into registrar.events select * from older_events");
        execute("insert into registrar.event_tags select * from older_tags");
        execute("update registrar.store set incarnation = (select incarnation from older_store)");
        execute("drop table older_events, older_tags, older_store");
    }

    /**
     * Replaces the events after a position in one transaction, as after a failover that lost commits and the same
     * number of new appends. The incarnation stays the same.
     */
    public void replaceAfter(long position) {
        execute(replacement(position, "", ""));
    }

    /** The statements for this, which replace one text in the events' payloads with another. */
    public static String replacement(long position, String text, String other) {
        return """
                begin;
                select registrar.lock_store();
                alter table registrar.events disable trigger events_are_append_only;
                create temporary table replaced on commit drop as
                    select * from registrar.events where position > %1$s;
                delete from registrar.events where position > %1$s;
                insert into registrar.events (position, recorded_at, id, size, type, tags, payload, metadata, actor)
                    select
                        position, now(), gen_random_uuid(), size, type, tags, replace(payload, '%2$s', '%3$s'), metadata, actor
                    from replaced;
                alter table registrar.events enable trigger events_are_append_only;
                commit;
                """.formatted(position, text, other);
    }

    /** The number of connections that wait for an advisory lock. */
    public long advisoryLocksWaitedFor() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet waiting = statement.executeQuery("""
                        select count(*)
                        from pg_locks
                        where locktype = 'advisory'
                        and not granted
                        and database = (select oid from pg_database where datname = current_database())""")) {
            waiting.next();
            return waiting.getLong(1);
        }
    }

    /** Holds the store's lock, which each append needs, until the connection's transaction ends. */
    public static void lockStore(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select registrar.lock_store()");
        }
    }

    /** Holds the locks of resources until the connection's transaction ends. */
    public static void lockResources(Connection connection, String... names) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select registrar.lock_resources('{}', ?, 8000)")) {
            statement.setArray(1, connection.createArrayOf("text", names));
            statement.execute();
        }
    }

    /** Terminates the connections that wait for an advisory lock, and returns their number. */
    public int cutWaitingConnections() throws SQLException {
        return signalWaitingConnections("pg_terminate_backend");
    }

    /** Cancels the statements that wait for an advisory lock, and returns their number. */
    int cancelWhateverWaits() throws SQLException {
        return signalWaitingConnections("pg_cancel_backend");
    }

    private int signalWaitingConnections(String function) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("""
                    select %s(pid)
                    from pg_locks
                    where locktype = 'advisory'
                    and not granted
                    and database = (select oid from pg_database where datname = current_database())""".formatted(function));
            int cut = 0;
            while (statement.getResultSet().next()) {
                cut++;
            }
            return cut;
        }
    }

    @Override
    public void close() {
        stores.forEach(PostgresEventStore::close);
        pools.forEach(HikariDataSource::close);
        if (isUsedAgain && structure().equals(structure)) {
            TestDatabase emptied = database.handedOver();
            clear(emptied);
            execute(emptied, EMPTY);
            EMPTIED.add(new Emptied(emptied, structure));
        } else {
            database.close();
        }
    }

    private String structure() {
        return JdbcClient.create(database.dataSource())
                .sql(STRUCTURE)
                .query(String.class)
                .single();
    }
}

package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendListener;
import dev.registrar.eventstore.AppendListeners;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.ErasingEventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.RetaggingEventStore;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StateStore;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagSecret;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.postgres.read.StateReader;
import dev.registrar.eventstore.postgres.read.StoreReader;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The event store in PostgreSQL. Any number of instances can share one database. */
public final class PostgresEventStore
        implements ChainingEventStore, AppendSource, StateStore, ErasingEventStore, RetaggingEventStore, AutoCloseable {
    /** Between two attempts to connect, of which a migration by a program has one. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Database database;
    private final StoreOptions options;
    private final StoreContext context;
    private final InstantSource clock;
    private final StoreLimits limits;
    private final ConditionChecks checks;
    private final AppendFunction function;
    private final GroupAppender groups;
    private final LockingAppender locking;
    private final StoreReader reader;
    private final StateReader stateReader;
    private final Permits projections;
    private final IdempotencyKeys keys;
    private final StateTable states;
    private final Erasures erasures;
    private final Retaggings retaggings;
    private final AppendListeners listeners = new AppendListeners();

    /** Creates a store that closes the database when it is closed. */
    PostgresEventStore(Database database, StoreOptions options, StoreContext context) {
        this(
                database,
                options,
                context,
                context.clock() == null
                        ? new ServerClock(database, options.schema(), context.metrics(), InstantSource.system())
                        : context.clock());
    }

    /** @param clock the clock of decisions; that of the context stamps the events */
    PostgresEventStore(Database database, StoreOptions options, StoreContext context, InstantSource clock) {
        StoreMeters meters = new StoreMeters(context.metrics());
        this.database = database;
        this.options = options;
        this.context = context;
        this.clock = clock;
        this.limits = options.limits();
        this.keys = new IdempotencyKeys(database, options);
        this.states = new StateTable(database, options.schema());
        this.reader = new StoreReader(database, options, context.metrics());
        this.stateReader = new StateReader(reader);
        this.erasures = new Erasures(database, options.schema(), limits, reader);
        this.retaggings = new Retaggings(database, options.schema(), limits, context.clock(), listeners::appended);
        this.projections = Permits.ofProjections(options.maxProjections(), context.metrics());
        this.function = new AppendFunction(
                options.schema(), options.idempotencyRetention(), context.clock(), database.warnings());
        this.checks = new ConditionChecks(database, options, meters, context.metrics());
        this.groups = new GroupAppender(database, function, options.group(), options.statementTimeout(), meters);
        this.locking = new LockingAppender(database, function, groups, options, context.metrics());
        meters.queue(groups::waiting);
    }

    /** Creates a store on connections with the settings of the store's own pool. The store does not close them. */
    PostgresEventStore(DataSource connections, StoreOptions options, StoreContext context) {
        this(Database.on(connections, options, context.metrics(), context.callerInTransaction()), options, context);
    }

    /**
     * Opens a store with the default options; see {@link #open(StoreAddress, StoreOptions, StoreContext)}.
     *
     * @param url a JDBC URL, such as {@code jdbc:postgresql://localhost/shop}
     */
    public static PostgresEventStore open(String url, @Nullable String username, @Nullable String password) {
        return open(url, username, password, StoreOptions.defaults());
    }

    /**
     * Opens a store; see {@link #open(StoreAddress, StoreOptions, StoreContext)}.
     *
     * @param url a JDBC URL, such as {@code jdbc:postgresql://localhost/shop}
     */
    public static PostgresEventStore open(
            String url, @Nullable String username, @Nullable String password, StoreOptions options) {
        return open(new StoreAddress(url, username, password), options, StoreContext.standalone());
    }

    /**
     * Opens a store on existing tables. The store has its own connection pool, because it changes session settings. It
     * reads no configuration files. The caller must close the store, which closes the pool.
     *
     * @throws StoreStartFailure if {@link StoreSchema#checkDatabase} fails, or if the tables do not exist or do not
     *     match this version; see {@link #migrate}
     * @throws dev.registrar.eventstore.EventStoreException if the database failed, or could not be reached within the
     *     options' connection time-out
     */
    public static PostgresEventStore open(StoreAddress address, StoreOptions options, StoreContext context) {
        StoreSchema.checkDatabase(StoreConnections.plain(address, options), options.schema());
        PostgresEventStore store = new PostgresEventStore(
                Database.open(address, options, context.metrics(), context.callerInTransaction()), options, context);
        try {
            store.checkSchema();
            store.erasures.start();
            if (store.clock instanceof ServerClock server) {
                server.measure();
            }
            return store;
        } catch (RuntimeException | Error failure) {
            store.close();
            throw failure;
        }
    }

    /**
     * Creates the store's tables and functions, or replaces functions that differ; see {@link StoreSchema#migrate}.
     *
     * @param username the owner of the schema, or a role that may create it
     * @throws IllegalStateException if Flyway is not on the class path
     */
    public static void migrate(String url, @Nullable String username, @Nullable String password, StoreOptions options) {
        migrate(new StoreAddress(url, username, password), options, 0, LONGEST_PAUSE);
    }

    /**
     * Creates the store's tables and functions on connections of its own; see {@link StoreSchema#migrate}.
     *
     * @param owner the address for the owner of the schema, or for a role that may create it
     */
    public static void migrate(StoreAddress owner, StoreOptions options, int retries, Duration longestPause) {
        StoreSchema.migrate(
                StoreConnections.plain(owner, options),
                StoreConnections.forMigrations(owner, options),
                options.schema(),
                retries,
                longestPause);
    }

    private void checkSchema() {
        try {
            database.call(options.statementTimeout(), false, connection -> {
                StoreSchema.check(connection, options.schema());
                return true;
            });
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public AppendResult append(Append request) {
        refuseInsideTransaction();
        long bytes = options.check(request);
        ResourceLocks locks = request.locks();
        List<Append> alone = List.of(request);
        List<AppendAnswer> answers = database.appending(
                request.idempotencyKey() != null,
                () -> judged(
                        alone,
                        checked -> locks == null
                                ? groups.append(alone, checked, bytes)
                                : List.of(locking.append(request, checked, bytes, locks))));
        return notifyListeners(result(answers.getFirst(), request), request);
    }

    @Override
    public List<AppendResult> appendChain(List<Append> requests) {
        refuseInsideTransaction();
        requests.forEach(options::checkActorAndTypes);
        long bytes = limits.checkChain(requests);
        List<Append> chain = List.copyOf(requests);
        List<AppendResult> results = new ArrayList<>();
        for (AppendAnswer answer : database.appending(
                chain.stream().allMatch(request -> request.idempotencyKey() != null),
                () -> judged(chain, checked -> groups.append(chain, checked, bytes)))) {
            if (answer instanceof AppendAnswer.KeyReused && !results.isEmpty()) {
                break;
            }
            Append request = chain.get(results.size());
            results.add(notifyListeners(result(answer, request), request));
        }
        return List.copyOf(results);
    }

    /** Sends a chain. If it is suspected, its conditions are checked, and it is sent again. */
    List<AppendAnswer> judged(List<Append> chain, Function<List<CheckedConditions>, List<AppendAnswer>> append) {
        List<AppendAnswer> answers = append.apply(List.of());
        return answers.getFirst() instanceof AppendAnswer.Suspected ? checks.untilJudged(chain, append) : answers;
    }

    /**
     * Appends in the caller's own transaction, so that events and the caller's tables change together. The connection
     * must be to the store's database, with a role that may use the store's schema. The caller commits and closes it.
     */
    public JoiningAppender joining(Connection connection) {
        // Half of the time that others wait for the lock, at least 1 ms.
        Duration longestHold = options.lockTimeout().plusMillis(1).dividedBy(2);
        return new JoiningAppender(this, connection, database, function, options, longestHold);
    }

    /* Otherwise a caller could wait for a group while it holds the connection that the group needs. */
    private void refuseInsideTransaction() {
        if (context.callerInTransaction().getAsBoolean()) {
            throw new IllegalStateException(
                    "An append is a transaction of its own and must not be called inside one; call it before or after, or use joining(connection)");
        }
    }

    static AppendResult result(AppendAnswer answer, Append request) {
        IdempotencyKey key = request.idempotencyKey();
        return switch (answer) {
            case AppendAnswer.Judged judged -> judged.result();
            case AppendAnswer.KeyReused reused when key != null -> throw new IdempotencyKeyReusedException(key);
            case AppendAnswer.KeyReused reused ->
                throw new IllegalStateException("append_events answered 'key-reused' for a request without a key");
            case AppendAnswer.Superseded superseded ->
                throw new IllegalStateException(
                        "append_events answered 'superseded' for a request that continues no other");
            case AppendAnswer.Suspected suspected ->
                throw new IllegalStateException("The conditions of a suspected request were not checked");
            case AppendAnswer.ResourceHeld held ->
                throw new IllegalStateException("A request did not wait for a resource that another session held");
        };
    }

    private AppendResult notifyListeners(AppendResult result, Append request) {
        if (result instanceof Appended appended && !appended.repeated()) {
            listeners.appended(request);
        }
        return result;
    }

    @Override
    public Runnable listen(AppendListener listener) {
        return listeners.add(listener);
    }

    @Override
    public Optional<Appended> appendedUnder(IdempotencyKey key) {
        limits.check(key);
        return keys.find(key);
    }

    /**
     * A page of the idempotency keys in their own order.
     *
     * @param after the last key of the page before; empty for the first page
     * @param upTo the position after which appends are left out
     * @param most the maximum number of keys
     */
    public List<StoredKey> keys(String after, Position upTo, int most) {
        return keys.after(after, upTo, most);
    }

    /**
     * Deletes expired idempotency keys.
     *
     * @param most the maximum number of keys to delete
     * @return the number of deleted keys; less than {@code most} when no expired key is left
     */
    public int forgetExpiredKeys(int most) {
        return keys.forget(most);
    }

    @Override
    public EventStream read(Query query, ReadOptions options) {
        limits.check(query);
        return reader.read(query, options);
    }

    @Override
    public Optional<SequencedEvent> last(Query query) {
        limits.check(query);
        return reader.last(query);
    }

    @Override
    public boolean exists(Query query) {
        limits.check(query);
        return reader.exists(query);
    }

    @Override
    public long count(Query query) {
        limits.check(query);
        return reader.count(query);
    }

    @Override
    public Head head() {
        return reader.head();
    }

    @Override
    public Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
        if (states.isEmpty()) {
            throw new RefusedInputException("At least one projection is needed, but there is none");
        }
        states.forEach(state -> limits.check(state.projection().query()));
        return projections.within(Duration.ZERO, () -> stateReader.project(states, progress));
    }

    @Override
    public Optional<StoredState> storedState(String key, String version, Query query) {
        return states.storedState(key, version, query);
    }

    @Override
    public boolean store(StoredState state) {
        return states.store(state);
    }

    @Override
    public int deleteStoredStates() {
        return states.deleteStoredStates();
    }

    @Override
    public long erase(Query query, Masking masking, Actor actor, String reason) {
        refuseInsideTransaction();
        return erasures.erase(query, masking, actor, reason);
    }

    @Override
    public Retagged retag(Query query, Set<Tag> added, Actor actor, String reason) {
        refuseInsideTransaction();
        return retaggings.retag(query, added, actor, reason);
    }

    /**
     * Checks that tags are made under the secret of this store, which is that of the first call.
     *
     * @throws StoreStartFailure if the store has another secret
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void requireTagSecret(TagSecret secret) {
        Optional<String> stored = database.run(
                """
                with added as (
                    insert into ${schema}.tag_secret (check_value)
                    values (?)
                    on conflict do nothing
                    returning check_value
                )
                select check_value from added
                union all
                select check_value from ${schema}.tag_secret""".replace("${schema}", options.schema()),
                statement -> new Parameters(statement).add(secret.checkValue()).first(row -> row.getString(1)));
        // Another instance has added its own at the same time; the next statement sees it.
        if (stored.isEmpty()) {
            requireTagSecret(secret);
        } else if (!stored.get().equals(secret.checkValue())) {
            throw new StoreStartFailure(
                    "The store in the schema '%s' has tags that were made under another secret."
                            .formatted(options.schema()),
                    "Start with the secret of the other instances, or of the backup. Under another one, rules that rest on such tags would not see the stored events.",
                    null);
        }
    }

    /** The check value of the secret under which tags are made; empty if none was required yet. */
    public Optional<String> tagSecret() {
        return database.run(
                "select check_value from %s.tag_secret".formatted(options.schema()),
                statement -> new Parameters(statement).first(row -> row.getString(1)));
    }

    @Override
    public long erasures() {
        return erasures.last();
    }

    /** The number of the last erasure, read now. */
    long lastErasure() {
        return erasures.number();
    }

    @Override
    public void onErasure(Runnable listener) {
        erasures.listen(listener);
    }

    /** The permits of in-memory projections, also for projections folded from a read of this store. */
    public Permits projections() {
        return projections;
    }

    Database database() {
        return database;
    }

    /** The circuit breaker in front of the database. */
    public CircuitBreaker breaker() {
        return database.breaker();
    }

    /**
     * Makes a trial call if the circuit breaker is not closed, so that a health check detects the database's recovery.
     */
    public void tryAgain() {
        database.tryAgain();
    }

    /**
     * Checks that the server allows the number of connections that this instance may open.
     *
     * @param others the connections that the application opens besides the store's
     * @throws StoreStartFailure if the server allows fewer connections
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public void checkConnections(int others) {
        ConnectionBudget.check(database, options, others);
    }

    /**
     * The version and the sizes of the database. The sizes are of files, so it takes longer than a look-up.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public DatabaseFacts databaseFacts() {
        return DatabaseFacts.read(database, options.schema());
    }

    /**
     * A store on a single connection of this store's pool, for warm-up. Its events are never committed, and closing it
     * returns the connection. From its first append until then it blocks all other appends, so it should take
     * milliseconds. Appends with resource locks are not supported.
     *
     * @throws dev.registrar.eventstore.EventStoreException if no connection is available
     */
    public PostgresEventStore rehearsal() {
        return new PostgresEventStore(
                database.rehearsal(), options, StoreContext.standalone().withClock(context.clock()), clock);
    }

    /**
     * Reads under a deadline and in a group, which otherwise depends on other callers, so that a rehearsal prepares
     * these statements, too.
     */
    public void prepareReads() {
        Deadline.within(options.statementTimeout().dividedBy(3), () -> {
            Head head = reader.head();
            return reader.lost(List.of(head, head));
        });
    }

    /** Accepts no more appends, waits for those in flight, and closes the store's connections. */
    @Override
    public void close() {
        erasures.close();
        groups.close();
        locking.close();
        database.close();
    }
}

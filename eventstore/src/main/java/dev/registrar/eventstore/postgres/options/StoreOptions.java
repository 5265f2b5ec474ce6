package dev.registrar.eventstore.postgres.options;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.options.Bounds;
import dev.registrar.options.InvalidOptionException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The options of an event store in PostgreSQL. Start from {@link #defaults()} or {@link #with}.
 *
 * @param schema the schema of the tables and functions, a lower-case SQL name of 1 to 63 characters
 * @param readConnections connections for reads, 1 to 1,000
 * @param resourceLockConnections connections for appends that wait for their resource locks, 1 to 1,000
 * @param maxWaitingReads the bound of each of three wait queues: reads that wait for a connection, small reads that
 *     wait for their group, and reads that wait for memory, 1 to 1,000,000; further reads are refused as overload
 * @param maxProjections concurrent in-memory projections, 1 to 1,000,000; further projections are refused as overload
 * @param pageSize bytes of a chunk, which a read fetches with one statement, 64 KiB to 64 MiB; a larger event is a
 *     chunk of its own
 * @param readMemory bytes of events that all reads together may hold, except for reads on behalf of clients, 1 MiB to 1
 *     GiB
 * @param clientReadMemory bytes of events that all reads on behalf of clients may hold together, 1 MiB to 1 GiB
 * @param connectionTimeout how long a caller waits for a free connection, and how long connecting may take, 250 ms to
 *     10 min
 * @param statementTimeout how long one statement may run, 1 ms to 1 h
 * @param lockTimeout how long an append waits for the store's lock, 1 ms to 1 h
 * @param idempotencyRetention how long the store keeps an idempotency key, 1 min to 3,650 days
 * @param requireActor whether every append must name its actor; an append without one is an error of the application
 * @param group the bounds of append groups
 * @param readGroup the bounds of groups of small reads
 * @param check the bounds of condition checks outside the store's lock
 * @param breaker the circuit breaker in front of the database
 * @param retry the retries of calls after transient failures
 * @param limits the limits of requests
 */
public record StoreOptions(
        String schema,
        int readConnections,
        int resourceLockConnections,
        int maxWaitingReads,
        int maxProjections,
        long pageSize,
        long readMemory,
        long clientReadMemory,
        Duration connectionTimeout,
        Duration statementTimeout,
        Duration lockTimeout,
        Duration idempotencyRetention,
        boolean requireActor,
        GroupOptions group,
        ReadGroupOptions readGroup,
        CheckOptions check,
        BreakerOptions breaker,
        RetryOptions retry,
        StoreLimits limits) {
    private static final Pattern SQL_NAME = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long MEBIBYTE = 1 << 20;

    /** How long a read waits for a connection to a replica. */
    private static final Duration LONGEST_WAIT_FOR_REPLICA = Duration.ofMillis(500);

    public StoreOptions {
        if (!SQL_NAME.matcher(schema).matches()) {
            throw new InvalidOptionException(
                    "store.schema",
                    "1 to 63 lower-case letters, digits and underscores, without a leading digit,",
                    "'" + schema + "'");
        }
        Bounds.check("store.readConnections", readConnections, 1, 1_000);
        Bounds.check("store.resourceLockConnections", resourceLockConnections, 1, 1_000);
        Bounds.check("store.maxWaitingReads", maxWaitingReads, 1, 1_000_000);
        Bounds.check("store.maxProjections", maxProjections, 1, 1_000_000);
        Bounds.check("store.pageSize", pageSize, 64 << 10, 64 * MEBIBYTE);
        Bounds.check("store.readMemory", readMemory, MEBIBYTE, 1_024 * MEBIBYTE);
        Bounds.check("store.clientReadMemory", clientReadMemory, MEBIBYTE, 1_024 * MEBIBYTE);
        Bounds.check("store.connectionTimeout", connectionTimeout, Duration.ofMillis(250), Duration.ofMinutes(10));
        Bounds.check("store.statementTimeout", statementTimeout, MILLISECOND, HOUR);
        Bounds.check("store.lockTimeout", lockTimeout, MILLISECOND, HOUR);
        Bounds.check("store.idempotencyRetention", idempotencyRetention, Duration.ofMinutes(1), Duration.ofDays(3_650));
    }

    /** Options for one application on a PostgreSQL server of its own: 16 connections, the schema {@code registrar}. */
    public static StoreOptions defaults() {
        return new Builder().build();
    }

    /**
     * The default options, except for those that the caller assigns: {@code with(options -> options.schema =
     * "library")}.
     *
     * @throws InvalidOptionException if an option is out of range
     */
    public static StoreOptions with(Consumer<Builder> changes) {
        Builder builder = new Builder();
        changes.accept(builder);
        return builder.build();
    }

    /**
     * The connections of the store's pool: one for each append group in flight, and those for reads and for waits for
     * resource locks.
     */
    public int connections() {
        return group.inFlight() + readConnections + resourceLockConnections;
    }

    /** The options for reads of a replica: a call that fails is repeated on the primary, and so neither waits long. */
    public StoreOptions forReplica() {
        return new StoreOptions(
                schema,
                readConnections,
                resourceLockConnections,
                maxWaitingReads,
                maxProjections,
                pageSize,
                readMemory,
                clientReadMemory,
                LONGEST_WAIT_FOR_REPLICA.compareTo(connectionTimeout) < 0
                        ? LONGEST_WAIT_FOR_REPLICA
                        : connectionTimeout,
                statementTimeout,
                lockTimeout,
                idempotencyRetention,
                requireActor,
                group,
                readGroup,
                check,
                breaker,
                new RetryOptions(0, retry.delay(), retry.multiplier(), retry.jitter(), retry.maxDelay()),
                limits);
    }

    /**
     * Checks a request.
     *
     * @return the size of its payloads and metadata in bytes, in UTF-8
     * @throws RefusedInputException if it exceeds a limit or contains text that cannot be stored
     * @throws IllegalStateException if it lacks an actor that the store requires
     */
    public long check(Append request) {
        checkActorAndTypes(request);
        ResourceLocks locks = request.locks();
        if (locks != null && locks.timeout().compareTo(statementTimeout) > 0) {
            throw new RefusedInputException("The timeout of resource locks must be at most %s but is %s"
                    .formatted(statementTimeout, locks.timeout()));
        }
        return limits.check(request);
    }

    /**
     * Checks only the actor and the types of a request. A missing actor is a bug of the application, not of its
     * client's request.
     *
     * @throws IllegalStateException if it lacks an actor that the store requires
     * @throws RefusedInputException if it has an event of the type that only the store itself appends
     */
    public void checkActorAndTypes(Append request) {
        for (Event event : request.events()) {
            if (event.type().equals(TagsAdded.TYPE)) {
                throw new RefusedInputException(
                        "The event type '%s' is reserved for the store; choose another one".formatted(TagsAdded.TYPE));
            }
        }
        if (requireActor && request.actor() == null) {
            throw new IllegalStateException(
                    "This store requires an actor, but an append of %s has none; name it with Append.by(actor), or in the origin of a decision"
                            .formatted(request.events().getFirst().type()));
        }
    }

    /** The options while they are assigned, each with its default until then. */
    public static final class Builder {
        public String schema = "registrar";
        public int readConnections = 11;
        public int resourceLockConnections = 4;
        public int maxWaitingReads = 10_000;
        public int maxProjections = 1_000;
        public long pageSize = 512 << 10;
        public long readMemory = 32 * MEBIBYTE;
        public long clientReadMemory = 32 * MEBIBYTE;
        public Duration connectionTimeout = Duration.ofSeconds(2);
        public Duration statementTimeout = Duration.ofSeconds(10);
        public Duration lockTimeout = Duration.ofSeconds(5);
        public Duration idempotencyRetention = Duration.ofDays(7);
        public boolean requireActor;
        public GroupOptions group = GroupOptions.defaults();
        public ReadGroupOptions readGroup = ReadGroupOptions.defaults();
        public CheckOptions check = CheckOptions.defaults();
        public BreakerOptions breaker = BreakerOptions.defaults();
        public RetryOptions retry = RetryOptions.defaults();
        public StoreLimits limits = StoreLimits.DEFAULT;

        private Builder() {}

        private StoreOptions build() {
            return new StoreOptions(
                    schema,
                    readConnections,
                    resourceLockConnections,
                    maxWaitingReads,
                    maxProjections,
                    pageSize,
                    readMemory,
                    clientReadMemory,
                    connectionTimeout,
                    statementTimeout,
                    lockTimeout,
                    idempotencyRetention,
                    requireActor,
                    group,
                    readGroup,
                    check,
                    breaker,
                    retry,
                    limits);
        }
    }
}

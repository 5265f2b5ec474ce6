package dev.registrar.autoconfigure;

import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.StoreOptions;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the event store in PostgreSQL.
 *
 * @param schema of the tables, functions and Flyway's history
 * @param readConnections connections for reads
 * @param resourceLockConnections connections for appends that wait for resource locks
 * @param maxWaitingReads reads that wait for a connection, small ones that wait for their group, and reads that wait
 *     for memory; one more is refused as overload
 * @param maxProjections in-memory projections at a time: of decisions, of strongly current look-ups and of clients; one
 *     more is refused as overload
 * @param pageSize bytes of a chunk, which is what a read takes from the database at a time, 64 KB to 64 MB; a larger
 *     event is a chunk of its own
 * @param readMemory bytes of events that all reads hold at a time whose events this process handles as they come; 1 MB
 *     to 1 GB
 * @param clientReadMemory bytes of events that all reads hold at a time whose events go on to clients; 1 MB to 1 GB
 * @param connectionTimeout how long a caller waits for a connection to become free, and for one to be made
 * @param statementTimeout how long one statement may run
 * @param lockTimeout how long an append waits for the store's lock
 * @param idempotencyRetention how long an idempotency key is remembered
 * @param group of appends
 * @param readGroup of small reads
 * @param check of conditions that take a longer look
 * @param breaker in front of the database
 * @param retry of what failed in passing
 * @param maxEventsPerAppend events
 * @param maxAppendBytes bytes of all payloads and metadata of an append in UTF-8
 * @param maxPayloadBytes bytes of a payload in UTF-8, and likewise of metadata
 * @param maxTypeLength characters of an event type
 * @param maxTagLength characters of a tag
 * @param maxTagsPerEvent tags
 * @param maxItemsPerQuery items
 * @param maxTypesPerItem types of one query item
 * @param maxTagsPerItem tags of one query item
 * @param maxKeyLength characters of an idempotency key, and of a resource's name
 * @param maxLocksPerAppend names of resources
 * @param validateJson whether payloads and metadata of events must be JSON; if not, they are any text
 */
@ConfigurationProperties("registrar.store")
public record StoreSettings(
        @DefaultValue("registrar") String schema,
        @DefaultValue("11") int readConnections,
        @DefaultValue("4") int resourceLockConnections,
        @DefaultValue("10000") int maxWaitingReads,
        @DefaultValue("1000") int maxProjections,
        @DefaultValue("512KB") DataSize pageSize,
        @DefaultValue("32MB") DataSize readMemory,
        @DefaultValue("32MB") DataSize clientReadMemory,
        @DefaultValue("2s") Duration connectionTimeout,
        @DefaultValue("10s") Duration statementTimeout,
        @DefaultValue("5s") Duration lockTimeout,
        @DefaultValue("7d") Duration idempotencyRetention,
        @NestedConfigurationProperty @DefaultValue GroupSettings group,
        @NestedConfigurationProperty @DefaultValue ReadGroupSettings readGroup,
        @NestedConfigurationProperty @DefaultValue CheckSettings check,
        @NestedConfigurationProperty @DefaultValue BreakerSettings breaker,
        @NestedConfigurationProperty @DefaultValue RetrySettings retry,
        @DefaultValue("1000") int maxEventsPerAppend,
        @DefaultValue("67108864") int maxAppendBytes,
        @DefaultValue("1048576") int maxPayloadBytes,
        @DefaultValue("255") int maxTypeLength,
        @DefaultValue("255") int maxTagLength,
        @DefaultValue("50") int maxTagsPerEvent,
        @DefaultValue("100") int maxItemsPerQuery,
        @DefaultValue("100") int maxTypesPerItem,
        @DefaultValue("20") int maxTagsPerItem,
        @DefaultValue("255") int maxKeyLength,
        @DefaultValue("100") int maxLocksPerAppend,
        @DefaultValue("false") boolean validateJson) {

    /**
     * The store's options.
     *
     * @throws dev.registrar.eventstore.postgres.connection.InvalidOptionException if a setting is out of its bounds
     */
    public StoreOptions options() {
        return new StoreOptions(
                schema,
                readConnections,
                resourceLockConnections,
                maxWaitingReads,
                maxProjections,
                pageSize.toBytes(),
                readMemory.toBytes(),
                clientReadMemory.toBytes(),
                connectionTimeout,
                statementTimeout,
                lockTimeout,
                idempotencyRetention,
                group.options(),
                readGroup.options(),
                check.options(),
                breaker.options(),
                retry.options(),
                limits());
    }

    private StoreLimits limits() {
        return new StoreLimits(
                maxEventsPerAppend,
                maxAppendBytes,
                maxPayloadBytes,
                maxTypeLength,
                maxTagLength,
                maxTagsPerEvent,
                maxItemsPerQuery,
                maxTypesPerItem,
                maxTagsPerItem,
                maxKeyLength,
                maxLocksPerAppend,
                validateJson);
    }
}

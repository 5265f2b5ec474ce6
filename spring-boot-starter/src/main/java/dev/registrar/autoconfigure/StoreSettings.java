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
 * @param schema the schema of the tables, of the functions and of the history of migrations; 1 to 63 lower-case
 *     letters, digits and underscores, no digit first
 * @param readConnections connections for reads
 * @param resourceLockConnections connections for appends with resource locks; one of several is for groups that need
 *     not wait
 * @param maxWaitingReads reads that may wait for a connection, small reads that may wait for their group, and reads
 *     that may wait for memory; further reads are rejected as overload
 * @param maxProjections in-memory projections at a time, of decisions and of clients; further ones are rejected as
 *     overload
 * @param pageSize bytes of events that a read takes from the database at a time; a larger event is taken alone
 * @param readMemory bytes of events that all reads of this instance's own work hold at a time
 * @param clientReadMemory bytes of events that all reads whose events are sent to clients hold at a time
 * @param connectionTimeout how long a caller waits for a free connection, and for a new connection to open
 * @param statementTimeout how long one statement may run
 * @param lockTimeout how long an append waits for the store's lock
 * @param idempotencyRetention how long an idempotency key is remembered
 * @param requireActor whether every append must name its actor; one without is an error of the application
 * @param group of appends
 * @param readGroup of small reads
 * @param check of conditions that are too expensive to be checked under the store's lock
 * @param breaker in front of the database
 * @param retry of calls that failed for a passing reason
 * @param maxEventsPerAppend events in one append
 * @param maxAppendBytes bytes of all payloads and metadata in one append, in UTF-8
 * @param maxPayloadBytes bytes of one payload, and of one event's metadata, in UTF-8
 * @param maxTypeLength characters of an event type
 * @param maxTagLength characters of a tag
 * @param maxTagsPerEvent tags of one event
 * @param maxTagsPerAppend tags of all events of one append together
 * @param maxItemsPerQuery items of one query, and of all conditions of one append together
 * @param maxTypesPerItem types of one query item
 * @param maxTagsPerItem tags of one query item
 * @param maxKeyLength characters of an idempotency key, and of a resource's name
 * @param maxLocksPerAppend resources that one append may lock
 * @param validateJson whether payloads and metadata of events must be JSON; if not, they may be any text
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
        @DefaultValue("false") boolean requireActor,
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
        @DefaultValue("10000") int maxTagsPerAppend,
        @DefaultValue("100") int maxItemsPerQuery,
        @DefaultValue("100") int maxTypesPerItem,
        @DefaultValue("20") int maxTagsPerItem,
        @DefaultValue("255") int maxKeyLength,
        @DefaultValue("100") int maxLocksPerAppend,
        @DefaultValue("false") boolean validateJson) {

    /**
     * The store's options.
     *
     * @throws dev.registrar.eventstore.InvalidOptionException if a setting is out of its bounds
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
                requireActor,
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
                maxTagsPerAppend,
                maxItemsPerQuery,
                maxTypesPerItem,
                maxTagsPerItem,
                maxKeyLength,
                maxLocksPerAppend,
                validateJson);
    }
}

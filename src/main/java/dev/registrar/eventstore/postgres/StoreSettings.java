package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.StoreLimits;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the event store in PostgreSQL.
 *
 * @param schema of the tables, functions and Flyway's history
 * @param readConnections connections for reads
 * @param resourceLockConnections connections for appends that wait for resource locks
 * @param maxWaitingReads reads that wait for a connection, small ones that wait for their group, and reads that wait
 *     for memory; one more is refused as overload
 * @param pageSize bytes of events that a read takes from the database at a time, 64 KB to 64 MB; a larger event comes
 *     alone
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
 */
@Validated
@ConfigurationProperties("registrar.store")
public record StoreSettings(
        @DefaultValue("registrar") @NotNull @Pattern(regexp = "[a-z_][a-z0-9_]{0,62}") String schema,

        @DefaultValue("11") @Min(1) @Max(1_000) int readConnections,
        @DefaultValue("4") @Min(1) @Max(1_000) int resourceLockConnections,
        @DefaultValue("10000") @Min(1) @Max(1_000_000) int maxWaitingReads,

        @DefaultValue("512KB") @NotNull DataSize pageSize,
        @DefaultValue("32MB") @NotNull DataSize readMemory,
        @DefaultValue("32MB") @NotNull DataSize clientReadMemory,

        @DefaultValue("2s") @NotNull @DurationMin(millis = 250) @DurationMax(minutes = 10)
        Duration connectionTimeout,

        @DefaultValue("10s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration statementTimeout,

        @DefaultValue("5s") @NotNull @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration lockTimeout,

        @DefaultValue("7d") @NotNull @DurationMin(minutes = 1) @DurationMax(days = 3650)
        Duration idempotencyRetention,

        @NestedConfigurationProperty @DefaultValue @NotNull @Valid GroupSettings group,

        @NestedConfigurationProperty @DefaultValue @NotNull @Valid ReadGroupSettings readGroup,

        @NestedConfigurationProperty @DefaultValue @NotNull @Valid CheckSettings check,

        @NestedConfigurationProperty @DefaultValue @NotNull @Valid BreakerSettings breaker,

        @NestedConfigurationProperty @DefaultValue @NotNull @Valid RetrySettings retry,

        @DefaultValue("1000") @Min(1) @Max(100_000) int maxEventsPerAppend,
        @DefaultValue("67108864") @Min(1) @Max(500_000_000) int maxAppendBytes,
        @DefaultValue("1048576") @Min(1) @Max(100_000_000) int maxPayloadBytes,
        @DefaultValue("255") @Min(1) @Max(300) int maxTypeLength,
        @DefaultValue("255") @Min(1) @Max(300) int maxTagLength,
        @DefaultValue("50") @Min(1) @Max(1_000) int maxTagsPerEvent,
        @DefaultValue("100") @Min(1) @Max(1_000) int maxItemsPerQuery,
        @DefaultValue("100") @Min(1) @Max(1_000) int maxTypesPerItem,
        @DefaultValue("20") @Min(1) @Max(1_000) int maxTagsPerItem,
        @DefaultValue("255") @Min(1) @Max(600) int maxKeyLength,
        @DefaultValue("100") @Min(1) @Max(1_000) int maxLocksPerAppend) {

    public StoreSettings {
        checkSize("page-size", pageSize, DataSize.ofKilobytes(64), DataSize.ofMegabytes(64));
        checkSize("read-memory", readMemory, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
        checkSize("client-read-memory", clientReadMemory, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
    }

    private static void checkSize(String name, DataSize size, DataSize least, DataSize most) {
        if (size.compareTo(least) < 0 || size.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    "registrar.store.%s is %s to %s but was %s".formatted(name, least, most, size));
        }
    }

    /** Connections in the store's pool: one for each group on its way, and those for reads and for resource locks. */
    public int connections() {
        return group.inFlight() + readConnections + resourceLockConnections;
    }

    public StoreLimits limits() {
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
                maxLocksPerAppend);
    }
}

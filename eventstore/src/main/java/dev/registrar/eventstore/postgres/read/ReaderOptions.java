package dev.registrar.eventstore.postgres.read;

import java.time.Duration;

/**
 * The options of the store's reads. {@code StoreOptions} checks their bounds.
 *
 * @param schema the schema of the tables and functions
 * @param pageSize bytes of events at which a chunk is cut, but not before its first event
 * @param largestEvent bytes of the largest possible event
 * @param readMemory bytes of events that all reads together may hold, except for reads on behalf of clients
 * @param clientReadMemory bytes of events that all reads on behalf of clients may hold together
 * @param maxWaitingReads reads that may wait for their group, and for memory; further reads are refused as overload
 * @param connectionTimeout how long a read waits for its group, and for memory
 * @param statementTimeout how long one statement may run, and how long a read on behalf of a client waits for memory
 * @param group the bounds of groups of small reads
 */
public record ReaderOptions(
        String schema,
        long pageSize,
        long largestEvent,
        long readMemory,
        long clientReadMemory,
        int maxWaitingReads,
        Duration connectionTimeout,
        Duration statementTimeout,
        ReadGroupOptions group) {}

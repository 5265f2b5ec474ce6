package dev.registrar.eventstore.postgres.read;

import java.time.Duration;

/**
 * How the store reads. The options of the store check the bounds.
 *
 * @param schema of the tables and functions
 * @param pageSize bytes of events at which a chunk is cut, but not before its first event
 * @param largestEvent bytes of the largest event
 * @param readMemory bytes of events that all reads hold at a time whose events this process handles at once
 * @param clientReadMemory bytes of events that all reads hold at a time whose events go on to clients
 * @param maxWaitingReads reads that wait for their group, and for memory; one more is refused as overload
 * @param connectionTimeout how long a read waits for its group, and for memory
 * @param statementTimeout how long one statement may run, and a client's read waits for memory
 * @param group of small reads
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

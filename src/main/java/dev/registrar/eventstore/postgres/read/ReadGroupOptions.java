package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.postgres.connection.Bounds;

/**
 * The bounds of the groups in which small reads are sent. {@link ReaderOptions#maxWaitingReads()} bounds how many reads
 * wait for their group, and {@link ReaderOptions#connectionTimeout()} how long.
 *
 * @param maxReads reads in a group, 1 to 1,000; 1 sends each by itself, as many at a time as groups may be on their way
 * @param inFlight groups on their way to the database at a time, each on one of the connections for reads, 1 to 1,000
 */
public record ReadGroupOptions(int maxReads, int inFlight) {

    public ReadGroupOptions {
        Bounds.check("readGroup.maxReads", maxReads, 1, 1_000);
        Bounds.check("readGroup.inFlight", inFlight, 1, 1_000);
    }

    /** Groups of up to 32 reads, two at a time. */
    public static ReadGroupOptions defaults() {
        return new ReadGroupOptions(32, 2);
    }
}

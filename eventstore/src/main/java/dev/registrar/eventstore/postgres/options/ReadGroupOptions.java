package dev.registrar.eventstore.postgres.options;

import dev.registrar.options.Bounds;

/**
 * The bounds of groups of small reads. {@link StoreOptions#maxWaitingReads()} bounds how many reads wait for their
 * group, and {@link StoreOptions#connectionTimeout()} how long they wait.
 *
 * @param maxReads reads in a group, 1 to 1,000; with 1, each read is sent alone
 * @param inFlight concurrent groups in flight to the database, each on one of the connections for reads, 1 to 1,000
 */
public record ReadGroupOptions(int maxReads, int inFlight) {

    public ReadGroupOptions {
        Bounds.check("store.readGroup.maxReads", maxReads, 1, 1_000);
        Bounds.check("store.readGroup.inFlight", inFlight, 1, 1_000);
    }

    /** Groups of up to 32 reads, 2 in flight. */
    public static ReadGroupOptions defaults() {
        return new ReadGroupOptions(32, 2);
    }
}

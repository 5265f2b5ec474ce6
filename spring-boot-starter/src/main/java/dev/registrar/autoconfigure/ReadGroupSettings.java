package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.read.ReadGroupOptions;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of the groups in which small reads are sent. {@link StoreSettings#maxWaitingReads()} bounds how many reads
 * wait for their group, and {@link StoreSettings#connectionTimeout()} how long.
 *
 * @param maxReads small reads in one group; 1 sends each read by itself
 * @param inFlight groups of small reads in flight to the database at a time, each on one of the connections for reads
 */
record ReadGroupSettings(
        @DefaultValue("32") int maxReads, @DefaultValue("2") int inFlight) {

    ReadGroupOptions options() {
        return new ReadGroupOptions(maxReads, inFlight);
    }
}

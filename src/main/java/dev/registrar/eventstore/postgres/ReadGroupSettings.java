package dev.registrar.eventstore.postgres;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The bounds of the groups in which small reads are sent. How many may wait for their group is bounded by
 * {@link StoreSettings#maxWaitingReads()}, and how long by {@link StoreSettings#connectionTimeout()}.
 *
 * @param maxReads reads in a group; 1 sends each by itself, as many at a time as groups may be on their way
 * @param inFlight groups on their way to the database at a time, each on one of the connections for reads
 */
public record ReadGroupSettings(
        @DefaultValue("32") @Min(1) @Max(1_000) int maxReads,
        @DefaultValue("2") @Min(1) @Max(1_000) int inFlight) {}

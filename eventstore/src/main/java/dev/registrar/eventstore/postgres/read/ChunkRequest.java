package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import java.util.Collection;
import java.util.List;

/**
 * A request for a chunk.
 *
 * @param probes the probes, of which each event must match at least one
 * @param most the maximum number of events, from the first in reading direction
 * @param heads heads for which the statement checks that the store still has them
 * @param small whether few bytes are expected; the chunk is then cut at {@link GroupReadStatement#MOST_BYTES}, even
 *     before its first event
 */
record ChunkRequest(List<Probe> probes, long most, Collection<Head> heads, boolean small) {
    ChunkRequest large() {
        return new ChunkRequest(probes, most, heads, false);
    }
}

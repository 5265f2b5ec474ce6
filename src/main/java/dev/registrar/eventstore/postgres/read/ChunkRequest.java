package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.postgres.read.ReadStatement.Probe;
import java.util.Collection;
import java.util.List;

/**
 * Some events that are asked for.
 *
 * @param probes of which each event matches one
 * @param most events, the first of them in reading direction
 * @param heads which the store perhaps no longer has
 * @param small whether few bytes are expected: the chunk is cut at {@link GroupReadStatement#MOST_BYTES}, even before
 *     its first event
 */
record ChunkRequest(List<Probe> probes, long most, Collection<Head> heads, boolean small) {
    ChunkRequest large() {
        return new ChunkRequest(probes, most, heads, false);
    }
}

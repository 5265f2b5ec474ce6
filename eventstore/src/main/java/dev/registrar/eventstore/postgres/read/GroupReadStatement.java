package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The SQL that reads small chunks for several requests in one statement, in forward direction, and its parameters. Each
 * probe is an element of array parameters, so one text serves any number of requests and stays prepared. It supports
 * probes with exactly one tag. An event is returned once for each request with a matching probe. Each request may have
 * up to the bytes of a small chunk. If its first event has more than its share of them, its caller reads alone.
 *
 * <p>For a single request, {@link ReadStatement} takes about two thirds of the CPU time of this statement. From two
 * requests on, this statement takes less, and with eight requests less than half.
 */
final class GroupReadStatement {
    /** The maximum number of events in a chunk, so that no request delays the others of its group for long. */
    private static final int MOST_EVENTS = 64;

    /** The maximum size of the events of a small chunk, in bytes, unless other chunks are smaller. */
    static final long MOST_BYTES = 128 << 10;

    /**
     * The maximum number of probes of a request. Each probe may find as many events as the chunk may have, before
     * duplicates are removed.
     */
    private static final int MOST_PROBES = 8;

    /*
     * The first row is the head. Then follow a row for each given head that the store has lost, and the events. Only
     * events have a type, and lost heads have no incarnation.
     */
    private static final String CHUNKS = """
            (
                select known.position, null, known.id, null, null, null, null, null, null, null
                {lost heads}
            )
            union all
            (
                select {columns}, chunk.request
                from (
                    select
                        matching.request,
                        (array_agg(distinct matching.position order by matching.position))[:max(matching.most)]
                            as positions
                    from (
                        select wanted.request, wanted.most, found.position
                        from (
                            select
                                given.request, given.most, given.tags::text[] as tags,
                                given.types::text[] as types, given.above, given.up_to
                            from unnest(?::int[], ?::bigint[], ?::text[], ?::text[], ?::bigint[], ?::bigint[])
                                given (request, most, tags, types, above, up_to)
                            offset 0
                        ) wanted
                        cross join lateral ({positions}) found
                    ) matching
                    group by matching.request
                    offset 0
                ) chunk
                cross join lateral (
                    select * from {schema}.events where position = any (chunk.positions) order by position
                ) e
            )""";

    private final String text;

    /**
     * Creates the statement.
     *
     * @param bytes the maximum size of the events of a chunk
     */
    GroupReadStatement(String schema, long bytes) {
        String template = ReadStatement.HEAD.formatted("null::text, null::text, null::timestamptz, null::int")
                + CHUNKS.replace("{lost heads}", ReadStatement.LOST_HEADS)
                        .replace("{columns}", ReadStatement.columns(ReadStatement.withinShare(bytes)))
                        .replace("{positions}", PositionSearch.OF_ONE_TAG);
        this.text = ReadStatement.text(template, schema, Direction.FORWARDS);
    }

    /** Whether a request can be part of a group. */
    static boolean serves(ChunkRequest request) {
        if (!request.small() || request.most() > MOST_EVENTS || request.probes().size() > MOST_PROBES) {
            return false;
        }
        for (Probe probe : request.probes()) {
            if (!probe.hasOneTag()) {
                return false;
            }
        }
        return true;
    }

    String text() {
        return text;
    }

    static void bind(PreparedStatement statement, List<ChunkRequest> requests) throws SQLException {
        Set<Head> heads = new HashSet<>();
        List<Probe> probes = new ArrayList<>();
        for (ChunkRequest request : requests) {
            heads.addAll(request.heads());
            probes.addAll(request.probes());
        }
        int[] numbers = new int[probes.size()];
        long[] most = new long[probes.size()];
        int row = 0;
        for (int number = 0; number < requests.size(); number++) {
            for (int end = row + requests.get(number).probes().size(); row < end; row++) {
                numbers[row] = number;
                most[row] = requests.get(number).most();
            }
        }
        Parameters parameters = new Parameters(statement);
        ReadStatement.bindHeads(parameters, heads);
        PositionSearch.bindProbes(parameters.add(numbers).add(most), probes);
    }

    /** The chunks, one for each request, in order. */
    static List<Chunk> chunks(ResultSet rows, List<ChunkRequest> requests) throws SQLException {
        Head head = StoreReader.head(rows);
        Position tagged = StoreReader.tagged(rows);
        Set<LostHead> lost = new HashSet<>();
        Set<Integer> cut = new HashSet<>();
        List<List<SequencedEvent>> found = new ArrayList<>();
        requests.forEach(request -> found.add(new ArrayList<>()));
        while (rows.next()) {
            int request = rows.getInt(10);
            if (rows.wasNull()) {
                lost.add(new LostHead(rows.getLong(1), rows.getObject(3, UUID.class)));
            } else if (!cut.contains(request)) {
                SequencedEvent event = ReadStatement.event(rows);
                if (event == null) {
                    cut.add(request);
                } else {
                    found.get(request).add(event);
                }
            }
        }
        List<Chunk> chunks = new ArrayList<>();
        for (int number = 0; number < requests.size(); number++) {
            boolean lostHeads =
                    requests.get(number).heads().stream().anyMatch(known -> lost.contains(LostHead.of(known)));
            chunks.add(new Chunk(head, found.get(number), cut.contains(number), lostHeads, tagged));
        }
        return chunks;
    }

    private record LostHead(long position, @Nullable UUID id) {
        static LostHead of(Head known) {
            return new LostHead(known.position().value(), known.lastEventId());
        }
    }
}

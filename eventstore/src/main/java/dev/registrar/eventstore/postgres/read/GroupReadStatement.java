package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.read.ReadStatement.Probe;
import java.sql.Connection;
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
 * up to {@link #MOST_BYTES}; if its first event is larger, its caller reads alone.
 *
 * <p>For a single request, {@link ReadStatement} takes about two thirds of the CPU time of this statement. From two
 * requests on, this statement takes less, and with eight requests less than half.
 */
final class GroupReadStatement {
    /** The maximum number of events in a chunk, so that no request delays the others of its group for long. */
    private static final int MOST_EVENTS = 64;

    /** The maximum size of the events of a chunk, in bytes. */
    static final long MOST_BYTES = 64 << 10;

    /**
     * The maximum number of probes of a request. Each probe may find as many events as the chunk may have, before
     * duplicates are removed.
     */
    private static final int MOST_PROBES = 8;

    private final String text;

    GroupReadStatement(String schema) {
        /*
         * The first row is the head. Then follow a row for each given head that the store has lost, and the events.
         * Only events have a type, and lost heads have no incarnation.
         */
        this.text = ReadStatement.head(schema, "null::text, null::text, null::int")
                + """
                 union all
                (
                    select known.position, null, known.id, null, null, null, null, null, null
                    %3$s
                )
                union all
                (
                    select
                        e.position, e.recorded_at, e.id, e.type, e.tags,
                        case when e.total <= %2$s then e.payload end,
                        case when e.total <= %2$s then e.metadata end,
                        e.actor,
                        e.request
                    from (
                        select
                            e.*,
                            matching.request,
                            matching.most,
                            sum(e.size) over chunk as total,
                            row_number() over chunk as number
                        from (
                            select distinct wanted.request, wanted.most, found.position
                            from (
                                select
                                    given.request, given.tag, given.types::text[] as types, given.above, given.up_to,
                                    given.most
                                from unnest(?::int[], ?::text[], ?::text[], ?::bigint[], ?::bigint[], ?::bigint[])
                                    given (request, tag, types, above, up_to, most)
                                offset 0
                            ) wanted
                            cross join lateral (
                                select entry.position
                                from %1$s.event_tags entry
                                where entry.tag = wanted.tag
                                and entry.position > wanted.above
                                and entry.position <= wanted.up_to
                                and (wanted.types = '{}' or entry.type = any (wanted.types))
                                order by entry.position
                                limit wanted.most
                            ) found
                        ) matching
                        join %1$s.events e on e.position = matching.position
                        window chunk as (
                            partition by matching.request order by matching.position rows unbounded preceding
                        )
                    ) e
                    where e.number <= e.most
                    and e.total - e.size <= %2$s
                    order by e.request, e.position
                )""".formatted(schema, MOST_BYTES, ReadStatement.lostHeads(schema));
    }

    /** Whether a request can be part of a group. */
    static boolean serves(ChunkRequest request) {
        if (!request.small() || request.most() > MOST_EVENTS || request.probes().size() > MOST_PROBES) {
            return false;
        }
        for (Probe probe : request.probes()) {
            if (probe.item().tags().size() != 1) {
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
        int probes = 0;
        for (ChunkRequest request : requests) {
            heads.addAll(request.heads());
            probes += request.probes().size();
        }
        HeadsParameter.bind(statement, heads);
        bindProbes(statement, requests, probes);
    }

    private static void bindProbes(PreparedStatement statement, List<ChunkRequest> requests, int count)
            throws SQLException {
        int[] numbers = new int[count];
        String[] tags = new String[count];
        String[] types = new String[count];
        long[] above = new long[count];
        long[] upTo = new long[count];
        long[] most = new long[count];
        int row = 0;
        for (int number = 0; number < requests.size(); number++) {
            ChunkRequest request = requests.get(number);
            for (Probe probe : request.probes()) {
                numbers[row] = number;
                tags[row] = probe.item().tags().iterator().next().value();
                types[row] = ArrayText.of(probe.item().types());
                above[row] = probe.above().value();
                upTo[row] = probe.upTo().value();
                most[row] = request.most();
                row++;
            }
        }
        Connection connection = statement.getConnection();
        statement.setObject(3, numbers);
        statement.setArray(4, connection.createArrayOf("text", tags));
        statement.setArray(5, connection.createArrayOf("text", types));
        statement.setObject(6, above);
        statement.setObject(7, upTo);
        statement.setObject(8, most);
    }

    /** The chunks, one for each request, in order. */
    static List<Chunk> chunks(ResultSet rows, List<ChunkRequest> requests) throws SQLException {
        Head head = Reader.head(rows);
        Set<LostHead> lost = new HashSet<>();
        Set<Integer> cut = new HashSet<>();
        List<List<SequencedEvent>> found = new ArrayList<>();
        requests.forEach(request -> found.add(new ArrayList<>()));
        while (rows.next()) {
            if (rows.getString(4) == null) {
                lost.add(new LostHead(rows.getLong(1), rows.getObject(3, UUID.class)));
            } else if (ReadStatement.isMore(rows)) {
                cut.add(rows.getInt(9));
            } else {
                found.get(rows.getInt(9)).add(ReadStatement.event(rows));
            }
        }
        List<Chunk> chunks = new ArrayList<>();
        for (int number = 0; number < requests.size(); number++) {
            boolean lostHeads =
                    requests.get(number).heads().stream().anyMatch(known -> lost.contains(LostHead.of(known)));
            chunks.add(new Chunk(head, found.get(number), cut.contains(number), lostHeads));
        }
        return chunks;
    }

    private record LostHead(long position, @Nullable UUID id) {
        static LostHead of(Head known) {
            return new LostHead(known.position().value(), known.lastEventId());
        }
    }
}

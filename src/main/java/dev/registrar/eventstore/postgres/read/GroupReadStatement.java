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
 * The SQL that finds small chunks for several requests at once, in reading direction forwards, and its parameters.
 * There is one text for any number of requests, so it stays prepared: each probe is a row of an array. It serves probes
 * of one tag; an event comes once for each request that one of its probes found it for. Each request has room of its
 * own for {@link #MOST_BYTES}, which may be too little for its first event: that caller then reads alone.
 *
 * <p>{@link ReadStatement} serves a request that is alone for about two thirds of the CPU time; from two requests on
 * this statement takes less, and with eight less than half.
 */
final class GroupReadStatement {
    /** Events in a chunk that others may have to wait for. */
    private static final int MOST_EVENTS = 64;

    /** Bytes of the events of such a chunk. */
    static final long MOST_BYTES = 64 << 10;

    /** Each may bring as many events as the chunk has room for, before they are united. */
    private static final int MOST_PROBES = 8;

    private final String text;

    GroupReadStatement(String schema) {
        /*
         * The head's row comes first, then a row for each of the given heads that the store has lost, then the events. All
         * but the events have no type, and the lost heads have no incarnation.
         */
        this.text = ReadStatement.head(schema, "null::text, null::int")
                + """
                 union all
                (
                    select known.position, null, known.id, null, null, null, null, null
                    %4$s
                )
                union all
                (
                    select
                        e.position, e.recorded_at, e.id, e.type, e.tags,
                        case when e.total <= %3$d then e.payload end,
                        case when e.total <= %3$d then e.metadata end,
                        e.request
                    from (
                        select
                            e.*,
                            matching.request,
                            matching.most,
                            %2$s as size,
                            sum(%2$s) over chunk as total,
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
                    and e.total - e.size <= %3$d
                    order by e.request, e.position
                )""".formatted(schema, ReadStatement.SIZE, MOST_BYTES, ReadStatement.lostHeads(schema));
    }

    /** Whether a request may be one of a group. */
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

    /** A chunk for each request, in their order. */
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
                cut.add(rows.getInt(8));
            } else {
                found.get(rows.getInt(8)).add(ReadStatement.event(rows));
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

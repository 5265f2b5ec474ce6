package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * How fast are all events read, by the store's stream or by a bare cursor of the driver? The first pass warms up and
 * samples the heap; the second is timed.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row08}
 */
final class ReadEverything {
    private static final int FETCH_SIZE = 1_000;
    private static final int HEAP_SAMPLES = 10;

    private static final String EVERYTHING = """
            select position, recorded_at, id, type, tags, payload, metadata
            from registrar.events
            order by position""";

    private final MeasuredDatabase database;
    private final BenchmarkStore store;
    private long characters;

    private ReadEverything(MeasuredDatabase database, BenchmarkStore store) {
        this.database = database;
        this.store = store;
    }

    /** Takes {@code store} or {@code cursor}. */
    public static void main(String[] arguments) throws IOException, SQLException {
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        boolean stream = arguments[0].equals("store");
        try (BenchmarkStore store = BenchmarkStore.on(database)) {
            new ReadEverything(database, store).measure(stream, store.store.count(Query.all()));
        }
    }

    private void measure(boolean stream, long events) throws IOException, SQLException {
        long before = usedHeap();
        long[] most = {before};
        long distance = Math.max(1, events / HEAP_SAMPLES);
        expect(events, read(stream, read -> {
            if (read % distance == 0) {
                most[0] = Math.max(most[0], usedHeap());
            }
        }));
        MeasuringProgram.awaitStart();
        long started = System.nanoTime();
        expect(events, read(stream, read -> {}));
        MeasuringProgram.report("events a second", events * 1e9 / (System.nanoTime() - started));
        MeasuringProgram.report("heap growth", (most[0] - before) / 1e6);
    }

    private long read(boolean stream, LongConsumer progress) throws SQLException {
        return stream ? readStream(progress) : readCursor(progress);
    }

    private long readStream(LongConsumer progress) {
        long events = 0;
        try (EventStream stream = store.store.read(Query.all())) {
            while (stream.hasNext()) {
                characters += stream.next().event().payload().length();
                progress.accept(++events);
            }
        }
        return events;
    }

    private long readCursor(LongConsumer progress) throws SQLException {
        long events = 0;
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            try (PreparedStatement statement = connection.prepareStatement(EVERYTHING)) {
                statement.setFetchSize(FETCH_SIZE);
                try (ResultSet row = statement.executeQuery()) {
                    while (row.next()) {
                        characters += charactersOf(row);
                        progress.accept(++events);
                    }
                }
            }
        }
        return events;
    }

    /* Converts every column to a Java value and uses the payload's length only, like the read of the stream. */
    private static int charactersOf(ResultSet row) throws SQLException {
        row.getLong(1);
        row.getObject(2, OffsetDateTime.class);
        row.getObject(3, UUID.class);
        row.getString(4);
        row.getArray(5).getArray();
        row.getString(7);
        return row.getString(6).length();
    }

    private void expect(long events, long read) {
        if (read != events || characters == 0) {
            throw new IllegalStateException("Read %s events, expected %s".formatted(read, events));
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}

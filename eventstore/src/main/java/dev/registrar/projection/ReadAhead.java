package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.projection.BatchProcessor.LogReader;
import dev.registrar.projection.log.LogBatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Reads the next batch of a view while the view applies the last one; for the loop that builds a generation. */
final class ReadAhead implements LogReader {
    /*
     * A batch that was read ahead begins where the checkpoint is now, and its read has checked the checkpoint's history.
     * Positions become visible in their order, so it misses no event. Only a batch that is not the last one is used: the
     * end of the log may have moved since.
     */
    private final LogReader reader;
    private @Nullable Ahead ahead;

    /** A read that was begun before its checkpoint was reached. */
    private record Ahead(Head from, int most, FutureTask<LogBatch> read) {}

    ReadAhead(LogReader reader) {
        this.reader = reader;
    }

    @Override
    public LogBatch read(Follower follower, Head from, int most) {
        LogBatch batch = takeAhead(from, most);
        if (batch == null) {
            batch = reader.read(follower, from, most);
        }
        if (!batch.isLast()) {
            Head next = batch.end();
            FutureTask<LogBatch> read = new FutureTask<>(() -> reader.read(follower, next, most));
            ahead = new Ahead(next, most, read);
            Thread.ofVirtual().name("read-ahead-" + follower.name()).start(read);
        }
        return batch;
    }

    /* A failed read is repeated: it may have begun in a history that was replaced, or the checkpoint was not reached. */
    private @Nullable LogBatch takeAhead(Head from, int most) {
        Ahead begun = ahead;
        ahead = null;
        if (begun == null) {
            return null;
        }
        try {
            LogBatch batch = begun.read().get();
            return begun.from().equals(from) && begun.most() == most && !batch.isLast() ? batch : null;
        } catch (ExecutionException failure) {
            return null;
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}

package dev.registrar.eventstore.postgres.read;

import dev.registrar.concurrent.CombiningQueue;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads small chunks, with concurrent callers sharing a round trip. */
final class ReadGroups {
    /*
     * A read is sent alone and at once while fewer groups than the bound are in flight. Later reads wait in the queue
     * until a group returns. A thread of the queue then sends all reads that have arrived by then. No read waits for
     * further reads to arrive. A group is one statement with one snapshot,
     * which is taken after each of its reads was requested, as it would be for a single read. Reads have no effects, so
     * if a group fails, each of its callers sends its read alone. A failure that one read causes therefore fails only
     * that read.
     */
    private static final Logger LOG = LoggerFactory.getLogger(ReadGroups.class);

    private final Function<ChunkRequest, Chunk> alone;
    private final Function<List<ChunkRequest>, List<Chunk>> together;
    private final int maxReads;
    private final int maxWaiting;
    private final Duration longestWait;
    private final Duration longestCall;
    private final DistributionSummary groupSize;
    private final Counter refused;
    private final CombiningQueue<WaitingRead> queue;

    /**
     * Creates the groups.
     *
     * @param alone reads a single chunk
     * @param together reads a chunk for each request, in order, all from one snapshot
     */
    ReadGroups(
            Function<ChunkRequest, Chunk> alone,
            Function<List<ChunkRequest>, List<Chunk>> together,
            StoreOptions settings,
            MeterRegistry metrics) {
        this.alone = alone;
        this.together = together;
        this.maxReads = settings.readGroup().maxReads();
        this.maxWaiting = settings.maxWaitingReads();
        this.longestWait = settings.connectionTimeout();
        this.longestCall = settings.statementTimeout();
        this.groupSize = DistributionSummary.builder("registrar.store.read.group.size")
                .description("Small reads in a group")
                .baseUnit("requests")
                .register(metrics);
        this.refused = Counter.builder("registrar.store.read.queue.refused")
                .description("Small reads refused or timed out in the wait queue")
                .baseUnit("requests")
                .register(metrics);
        this.queue = new CombiningQueue<>("read-group", settings.readGroup().inFlight(), maxWaiting, this::send);
        Gauge.builder("registrar.store.read.queue.size", queue::waiting)
                .description("Small reads that wait for their group")
                .baseUnit("requests")
                .register(metrics);
    }

    /**
     * Reads a chunk, possibly in a group.
     *
     * @throws OverloadedException if the wait queue is full
     * @throws StoreTimeoutException if the read was not sent in time, or the caller's deadline has passed
     * @throws StoreUnavailableException if the database failed, or the caller was interrupted
     */
    Chunk chunk(ChunkRequest request) {
        WaitingRead mine = new WaitingRead(request, longestWait, longestCall);
        return switch (queue.submit(mine)) {
            case ANSWERED -> {
                Chunk chunk = mine.chunk();
                yield chunk == null ? alone.apply(request) : chunk;
            }
            case FULL -> {
                refused.increment();
                throw new OverloadedException("Too many waiting reads (limit %s)".formatted(maxWaiting));
            }
            case TIMED_OUT -> {
                refused.increment();
                throw new StoreTimeoutException("A read timed out while it waited for its group");
            }
            case INTERRUPTED -> throw new StoreUnavailableException("Interrupted while a read waited for its group");
            case CLOSED -> throw new StoreUnavailableException("The event store is closed");
        };
    }

    private void send(CombiningQueue<WaitingRead>.Batch batch) {
        batch.takeFirst(maxReads);
        List<WaitingRead> group = batch.members();
        switch (group.size()) {
            case 0 -> {}
            case 1 -> sendAlone(group.getFirst());
            default -> sendTogether(group);
        }
    }

    private void sendAlone(WaitingRead only) {
        groupSize.record(1);
        try {
            only.answer(only.withinDeadline(() -> alone.apply(only.request())));
        } catch (RuntimeException failure) {
            only.fail(failure);
        }
    }

    private void sendTogether(List<WaitingRead> group) {
        groupSize.record(group.size());
        try {
            List<Chunk> answers =
                    together.apply(group.stream().map(WaitingRead::request).toList());
            for (int i = 0; i < group.size(); i++) {
                group.get(i).answer(answers.get(i));
            }
        } catch (EventStoreException failure) {
            LOG.debug("A group of {} reads failed; each read is sent alone", group.size(), failure);
            group.forEach(WaitingRead::leaveUnanswered);
        }
    }
}

package dev.registrar.eventstore.postgres.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which reads are sent together. The first read is blocked in the database while the others queue. */
class ReadGroupsTest {
    private static final UUID INCARNATION = UUID.randomUUID();

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch held = new CountDownLatch(1);
    private final List<Integer> sent = new CopyOnWriteArrayList<>();
    private final List<Future<Chunk>> answers = new ArrayList<>();
    private volatile boolean groupsFail;
    private SimpleMeterRegistry meters;
    private ReadGroups groups;

    ReadGroupsTest() {
        configure(Map.of());
    }

    @AfterEach
    void letThemGo() {
        held.countDown();
        callers.close();
    }

    private void configure(Map<String, ?> more) {
        Map<String, Object> settings = new HashMap<>(Map.of("read-group.in-flight", 1));
        settings.putAll(more);
        meters = new SimpleMeterRegistry();
        groups = new ReadGroups(this::alone, this::together, StoreDatabase.settings(settings), meters);
    }

    private Chunk alone(ChunkRequest request) {
        sent.add(1);
        if (number(request) == 0) {
            try {
                held.await();
            } catch (InterruptedException interrupted) {
                throw new StoreUnavailableException("interrupted");
            }
        }
        if (number(request) < 0) {
            throw new StoreTimeoutException("too hard to find");
        }
        return answer(request);
    }

    private List<Chunk> together(List<ChunkRequest> requests) {
        sent.add(requests.size());
        if (groupsFail || requests.stream().anyMatch(request -> number(request) < 0)) {
            throw new StoreUnavailableException("the connection was lost");
        }
        return requests.stream().map(ReadGroupsTest::answer).toList();
    }

    /* The position of an answer's head identifies its request. */
    private static Chunk answer(ChunkRequest request) {
        return new Chunk(
                new Head(Position.of(number(request)), INCARNATION, null), List.of(), false, false, Position.START);
    }

    private static ChunkRequest request(int number) {
        Probe probe = new Probe(QueryItem.tags("number:" + number), Position.START, Position.of(Long.MAX_VALUE));
        return new ChunkRequest(List.of(probe), 64, List.of(), true);
    }

    private static int number(ChunkRequest request) {
        String tag = request.probes().getFirst().item().tags().iterator().next().value();
        return Integer.parseInt(tag.substring("number:".length()));
    }

    private void ask(int number) {
        answers.add(callers.submit(() -> groups.chunk(request(number))));
    }

    /* The first read is in flight, and the others wait in this order. */
    private void gather(int... numbers) {
        ask(0);
        await().until(() -> sent.size() == 1);
        for (int number : numbers) {
            double before = waiting();
            ask(number);
            await().until(() -> waiting() == before + 1);
        }
    }

    private double waiting() {
        return meters.get("registrar.store.read.queue.size").gauge().value();
    }

    private double refused() {
        return meters.get("registrar.store.read.queue.refused").counter().count();
    }

    private List<Long> answered() throws ExecutionException, InterruptedException {
        List<Long> answered = new ArrayList<>();
        for (Future<Chunk> answer : answers) {
            answered.add(answer.get().head().position().value());
        }
        return answered;
    }

    @Test
    void a_read_is_sent_alone_while_no_other_is_in_flight() throws Exception {
        for (int number = 1; number <= 3; number++) {
            assertThat(groups.chunk(request(number)).head().position().value()).isEqualTo(number);
        }
        assertThat(sent).containsExactly(1, 1, 1);
    }

    @Test
    void queued_reads_are_sent_together_and_get_their_own_answers() throws Exception {
        gather(1, 2, 3);
        held.countDown();

        assertThat(answered()).containsExactly(0L, 1L, 2L, 3L);
        assertThat(sent).containsExactly(1, 3);
        assertThat(meters.get("registrar.store.read.group.size").summary().max())
                .isEqualTo(3);
    }

    @Test
    void a_group_is_bounded() throws Exception {
        configure(Map.of("read-group.max-reads", 2));
        gather(1, 2, 3, 4, 5);
        held.countDown();

        assertThat(answered()).containsExactly(0L, 1L, 2L, 3L, 4L, 5L);
        assertThat(sent).containsExactly(1, 2, 2, 1);
    }

    @Test
    void the_number_of_groups_in_flight_is_bounded() {
        configure(Map.of("read-group.in-flight", 2));
        gather();
        assertThat(groups.chunk(request(1)).head().position().value()).isEqualTo(1);
        assertThat(sent).containsExactly(1, 1);
    }

    @Test
    void reads_of_a_failed_group_are_sent_alone_and_a_faulty_one_fails_alone() throws Exception {
        gather(1, -2, 3);
        held.countDown();

        Future<Chunk> faulty = answers.remove(2);
        assertThat(answered()).containsExactly(0L, 1L, 3L);
        assertThatThrownBy(faulty::get).hasCauseInstanceOf(StoreTimeoutException.class);
        assertThat(sent).containsExactly(1, 3, 1, 1, 1);
        assertThat(groups.chunk(request(4)).head().position().value()).isEqualTo(4);
    }

    @Test
    void a_read_beyond_the_bound_of_the_queue_is_refused() throws Exception {
        configure(Map.of("max-waiting-reads", 1));
        gather(1);

        assertThatThrownBy(() -> groups.chunk(request(2)))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("Too many waiting reads (limit 1)");

        assertThat(refused()).isEqualTo(1);
        held.countDown();
        assertThat(answered()).containsExactly(0L, 1L);
    }

    @Test
    void a_read_that_waits_too_long_times_out_and_leaves_the_queue() throws Exception {
        configure(Map.of("connection-timeout", "250ms"));
        gather(1);

        assertThatThrownBy(() -> answers.removeLast().get()).hasCauseInstanceOf(StoreTimeoutException.class);

        assertThat(waiting()).isZero();
        assertThat(refused()).isEqualTo(1);
        held.countDown();
        assertThat(answered()).containsExactly(0L);
        assertThat(sent).containsExactly(1);
    }

    @Test
    void no_read_waits_past_its_deadline() throws Exception {
        gather();
        answers.add(callers.submit(() -> Deadline.within(Duration.ofMillis(50), () -> groups.chunk(request(1)))));
        assertThatThrownBy(() -> answers.removeLast().get()).hasCauseInstanceOf(StoreTimeoutException.class);
        assertThat(waiting()).isZero();
    }

    @Test
    void an_interrupted_caller_leaves_the_queue_and_the_others_continue() throws Exception {
        gather();
        FutureTask<Chunk> interrupted = new FutureTask<>(() -> groups.chunk(request(1)));
        Thread caller = Thread.ofVirtual().start(interrupted);
        await().until(() -> waiting() == 1);
        ask(2);
        await().until(() -> waiting() == 2);

        caller.interrupt();

        assertThatThrownBy(interrupted::get).hasCauseInstanceOf(StoreUnavailableException.class);
        assertThat(waiting()).isEqualTo(1);
        held.countDown();
        assertThat(answered()).containsExactly(0L, 2L);
    }

    @Test
    void after_a_failed_group_the_next_one_is_sent() throws Exception {
        groupsFail = true;
        configure(Map.of("read-group.max-reads", 2));
        gather(1, 2, 3, 4);
        held.countDown();

        assertThat(answered()).containsExactly(0L, 1L, 2L, 3L, 4L);
        assertThat(waiting()).isZero();
    }
}

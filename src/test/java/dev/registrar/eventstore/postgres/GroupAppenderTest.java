package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.metrics.MicrometerMetrics;
import dev.registrar.eventstore.postgres.AppendFunction.Entry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What callers of one group share, and what they do not. The test holds the store's lock meanwhile: the first caller is
 * on its way and waits for it, and the others gather in the queue, in the order in which they come.
 */
class GroupAppenderTest {
    private static StoreDatabase database;

    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<AppendResult>> answers = new ArrayList<>();
    private SimpleMeterRegistry meters;
    private HikariDataSource pool;
    private PostgresEventStore store;
    private Connection holder;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void holdTheLock() throws SQLException {
        database.clear();
        begin(Map.of());
    }

    @AfterEach
    void release() throws SQLException {
        holder.close();
        callers.close();
        pool.close();
    }

    private void begin(Map<String, ?> settings) throws SQLException {
        if (holder != null) {
            holder.close();
            pool.close();
        }
        StoreOptions bound = StoreDatabase.settings(settings);
        meters = new SimpleMeterRegistry();
        pool = database.pool(bound);
        store = new PostgresEventStore(
                pool, bound, StoreDatabase.context(InstantSource.system(), new MicrometerMetrics(meters)));
        holder = database.connect();
        holder.setAutoCommit(false);
        new AppendFunction("registrar", Duration.ofDays(7))
                .call(holder, List.of(Entry.of(Append.of(event("held")))), Instant.now());
    }

    private static Event event(String tag) {
        return Event.of("Happened", "{}", tag);
    }

    private static Append guarded(String tag) {
        return Append.of(event(tag)).onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(tag))));
    }

    /* The first one's call is sent; the others are in the queue when this returns. */
    private void send(Append... requests) {
        for (Append request : requests) {
            Callable<AppendResult> call = () -> store.append(request);
            int waiting = answers.size();
            answers.add(callers.submit(call));
            await().until(() -> waiting == 0 ? onTheirWay() == 1 : queued() == waiting);
        }
    }

    private double onTheirWay() {
        return meters.get("registrar.store.group.size").summary().count();
    }

    private double requestsOnTheirWay() {
        return meters.get("registrar.store.group.size").summary().totalAmount();
    }

    private double queued() {
        return meters.get("registrar.store.queue.size").gauge().value();
    }

    private void letGo() throws SQLException {
        holder.rollback();
    }

    private List<AppendResult> results() throws Exception {
        List<AppendResult> results = new ArrayList<>();
        for (Future<AppendResult> answer : answers) {
            results.add(answer.get());
        }
        return results;
    }

    private static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }

    private List<Throwable> failures() {
        List<Throwable> failures = new ArrayList<>();
        for (Future<AppendResult> answer : answers) {
            try {
                answer.get();
            } catch (ExecutionException failure) {
                failures.add(failure.getCause());
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
        return failures;
    }

    @Test
    void waiting_requests_are_sent_together_in_their_order() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"), guarded("d"));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), at(3), at(4));
        assertThat(onTheirWay()).isEqualTo(2);
        assertThat(meters.get("registrar.store.group.size").summary().max()).isEqualTo(3);
        assertThat(meters.get("registrar.store.verdicts")
                        .tag("verdict", "appended")
                        .counter()
                        .count())
                .isEqualTo(4);
    }

    @Test
    void a_group_keeps_to_its_bounds() throws Exception {
        begin(Map.of("group.max-requests", 2));
        send(guarded("a"), guarded("b"), guarded("c"), guarded("d"));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), at(3), at(4));
        assertThat(onTheirWay()).isEqualTo(3);
        assertThat(meters.get("registrar.store.group.size").summary().max()).isEqualTo(2);
    }

    @Test
    void an_append_larger_than_a_group_is_sent_alone() throws Exception {
        begin(Map.of("group.max-events", 2));
        send(guarded("a"), guarded("b"), Append.of(event("x"), event("y"), event("z")), guarded("c"));
        letGo();

        assertThat(results()).containsExactly(at(1), at(2), new Appended(Position.of(3), Position.of(5), false), at(6));
    }

    @Test
    void of_racers_for_one_thing_one_wins_and_the_others_lose_in_one_more_group() throws Exception {
        Append[] racers = IntStream.range(0, 10).mapToObj(i -> guarded("seat")).toArray(Append[]::new);
        send(guarded("a"));
        send(racers);
        letGo();

        List<AppendResult> results = results();
        assertThat(results.subList(0, 2)).containsExactly(at(1), at(2));
        assertThat(results.subList(2, 11))
                .containsOnly(new Conflict(QueryItem.tags("seat"), Position.of(2), "Happened"));
        assertThat(onTheirWay()).isEqualTo(3);
        assertThat(store.head().position()).isEqualTo(Position.of(2));
    }

    @Test
    void a_request_that_is_refused_does_not_refuse_those_that_it_deferred() throws Exception {
        Append refused = Append.of(event("seat"))
                .onCondition(AppendCondition.failIfEventsMatch(
                        Query.of(QueryItem.tags("a")).or(Query.of(QueryItem.tags("seat")))));
        send(guarded("a"), refused, guarded("seat"));
        letGo();

        assertThat(results())
                .containsExactly(at(1), new Conflict(QueryItem.tags("a"), Position.of(1), "Happened"), at(2));
    }

    /*
     * The chain takes x twice and fails at a, which is taken by then; its last request is not judged. The other request for x
     * waits for the chain and loses to it. The one for y wins, in the position that follows what was appended.
     */
    @Test
    void a_chain_is_sent_in_one_group_among_others() throws Exception {
        IdempotencyKey key = new IdempotencyKey("k", "y");
        send(guarded("a"));
        Future<List<AppendResult>> chain = callers.submit(
                () -> store.appendChain(List.of(guarded("x"), guarded("x"), guarded("a"), guarded("y"))));
        await().until(() -> queued() == 1);
        Future<AppendResult> wantsX = callers.submit(() -> store.append(guarded("x")));
        await().until(() -> queued() == 2);
        Append two = Append.of(event("y"), event("z")).under(key);
        Future<AppendResult> wantsY = callers.submit(() -> store.append(two));
        await().until(() -> queued() == 3);
        letGo();

        assertThat(results()).containsExactly(at(1));
        assertThat(chain.get())
                .containsExactly(at(2), at(3), new Conflict(QueryItem.tags("a"), Position.of(1), "Happened"));
        assertThat(wantsX.get()).isEqualTo(new Conflict(QueryItem.tags("x"), Position.of(2), "Happened"));
        Appended yAndZ = new Appended(Position.of(4), Position.of(5), false);
        assertThat(wantsY.get()).isEqualTo(yAndZ);
        assertThat(store.append(two)).isEqualTo(new Appended(yAndZ.first(), yAndZ.last(), true));
        assertThat(store.read(Query.of(QueryItem.tags("z"))).toList())
                .extracting(found -> found.position().value())
                .containsExactly(5L);
    }

    @Test
    void a_conditions_position_may_lie_inside_the_group() throws Exception {
        Append ahead = Append.of(event("seat"))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("seat")))
                        .after(Position.of(2)));
        send(guarded("a"), guarded("seat"), ahead, ahead);
        letGo();

        assertThat(results())
                .containsExactly(at(1), at(2), at(3), new Conflict(QueryItem.tags("seat"), Position.of(3), "Happened"));
    }

    @Test
    void the_second_request_under_a_key_answers_with_what_the_first_stored() throws Exception {
        Append keyed = guarded("b").under(new IdempotencyKey("k", "b"));
        send(guarded("a"), keyed, keyed, Append.of(event("c")).under(new IdempotencyKey("k", "c")));
        letGo();

        assertThat(failures()).hasSize(1).first().isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(answers.get(1).get()).isEqualTo(at(2));
        assertThat(answers.get(2).get()).isEqualTo(new Appended(Position.of(2), Position.of(2), true));
        assertThat(store.head().position()).isEqualTo(Position.of(2));
    }

    @Test
    void the_second_request_under_a_key_is_judged_when_the_first_was_refused() throws Exception {
        IdempotencyKey key = new IdempotencyKey("k", "b");
        send(guarded("a"), guarded("a").under(key), Append.of(event("b")).under(key));
        letGo();

        assertThat(results())
                .containsExactly(at(1), new Conflict(QueryItem.tags("a"), Position.of(1), "Happened"), at(2));
    }

    /* A constraint that the store does not know of stands for any value that the database cannot keep. */
    @Test
    void a_value_that_the_database_refuses_fails_its_own_request_only() throws Exception {
        letGo();
        database.execute(
                "alter table registrar.events add constraint no_bad_payload check (payload <> '\"bad\"') not valid");
        try {
            begin(Map.of());
            send(guarded("a"), guarded("b"), Append.of(Event.of("Bad", "\"bad\"")), guarded("c"));
            letGo();

            assertThat(failures()).hasSize(1).first().isInstanceOf(RefusedInputException.class);
            assertThat(answers.get(1).get()).isEqualTo(at(2));
            assertThat(answers.get(3).get()).isEqualTo(at(3));
        } finally {
            database.execute("alter table registrar.events drop constraint no_bad_payload");
        }
    }

    @Test
    void a_full_queue_refuses_at_once() throws Exception {
        begin(Map.of("group.max-waiting", 2));
        send(guarded("a"), guarded("b"), guarded("c"));

        assertThatThrownBy(() -> store.append(guarded("d"))).isInstanceOf(OverloadedException.class);
        letGo();
        assertThat(results()).containsExactly(at(1), at(2), at(3));
        assertThat(store.exists(Query.of(QueryItem.tags("d")))).isFalse();
    }

    @Test
    void a_request_that_waited_too_long_is_not_appended_later() throws Exception {
        begin(Map.of("group.max-wait", "50ms"));
        send(guarded("a"));

        assertThatThrownBy(() -> store.append(guarded("b"))).isInstanceOf(StoreTimeoutException.class);
        letGo();
        assertThat(results()).containsExactly(at(1));
        assertThat(store.append(guarded("c"))).isEqualTo(at(2));
        assertThat(store.exists(Query.of(QueryItem.tags("b")))).isFalse();
    }

    @Test
    void a_request_whose_caller_is_interrupted_is_not_appended_later() throws Exception {
        send(guarded("a"));
        Thread interrupted = Thread.ofVirtual().unstarted(() -> store.append(guarded("b")));
        List<Throwable> failures = new ArrayList<>();
        interrupted.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        interrupted.start();
        await().until(() -> queued() == 1);

        interrupted.interrupt();
        interrupted.join();
        letGo();

        assertThat(failures).hasSize(1).first().isInstanceOf(StoreUnavailableException.class);
        assertThat(results()).containsExactly(at(1));
        assertThat(store.exists(Query.of(QueryItem.tags("b")))).isFalse();
    }

    @Test
    void a_lost_connection_leaves_the_outcome_unknown_to_its_group_alone() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"));

        await().until(() -> database.cutWhoeverWaits() == 1);
        await().until(() -> onTheirWay() == 2);
        letGo();

        assertThat(failures()).hasSize(1).first().isInstanceOf(OutcomeUnknownException.class);
        assertThat(answers.get(1).get()).isEqualTo(at(1));
        assertThat(answers.get(2).get()).isEqualTo(at(2));
    }

    /*
     * The first one's group is on its way. Another holder of the store's lock gets it next, so that the group of the three
     * others waits; then its call is cancelled.
     */
    @Test
    void a_group_whose_call_is_cancelled_is_split_into_single_requests() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"), guarded("d"));
        await().until(() -> database.advisoryLocksWaitedFor() == 1);
        try (Connection second = database.connect()) {
            second.setAutoCommit(false);
            Future<?> locking = callers.submit(() -> {
                StoreDatabase.lockStore(second);
                return null;
            });
            await().until(() -> database.advisoryLocksWaitedFor() == 2);
            letGo();
            locking.get();
            await().until(() -> requestsOnTheirWay() == 4 && database.advisoryLocksWaitedFor() == 1);

            assertThat(database.cancelWhateverWaits()).isEqualTo(1);
            await().until(() -> onTheirWay() == 3 && database.advisoryLocksWaitedFor() == 1);
            assertThat(database.cancelWhateverWaits()).isEqualTo(1);
            await().until(() -> onTheirWay() == 4 && database.advisoryLocksWaitedFor() == 1);
            second.rollback();
        }

        assertThat(failures()).hasSize(1).first().isInstanceOf(StoreTimeoutException.class);
        assertThat(answers.get(0).get()).isEqualTo(at(1));
        assertThat(answers.get(2).get()).isEqualTo(at(2));
        assertThat(answers.get(3).get()).isEqualTo(at(3));
    }

    @Test
    void closing_answers_waiting_requests_and_takes_no_more() throws Exception {
        send(guarded("a"), guarded("b"), guarded("c"));
        Future<?> closing = callers.submit(store::close);
        await().untilAsserted(() ->
                assertThatThrownBy(() -> store.append(guarded("d"))).isInstanceOf(StoreUnavailableException.class));

        letGo();
        closing.get();

        assertThat(results()).containsExactly(at(1), at(2), at(3));
    }

    @Test
    void several_groups_may_be_on_their_way() throws Exception {
        begin(Map.of("group.in-flight", 2));
        Append[] racers =
                IntStream.range(0, 40).mapToObj(i -> guarded("seat:" + i / 4)).toArray(Append[]::new);
        for (Append racer : racers) {
            answers.add(callers.submit(() -> store.append(racer)));
        }
        await().until(() -> onTheirWay() == 2 && requestsOnTheirWay() + queued() == racers.length);
        letGo();

        assertThat(results()).filteredOn(Appended.class::isInstance).hasSize(10);
        assertThat(results()).filteredOn(Conflict.class::isInstance).hasSize(30);
        assertThat(store.head().position()).isEqualTo(Position.of(10));
    }
}

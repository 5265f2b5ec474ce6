package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Deadlines of threads: what is left of a time when one is set, is over, or is not there at all. */
class DeadlineTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @AfterEach
    void clear() {
        Deadline.clear();
    }

    @Test
    void where_nobody_set_one_all_of_a_time_is_left() {
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
        assertThat(Deadline.left(Duration.ZERO)).isZero();
        assertThat(Deadline.isOver()).isFalse();
    }

    @Test
    void a_deadline_ends_a_longer_time_early_and_no_shorter_one() {
        Deadline.set(HOUR);

        assertThat(Deadline.left(DAY)).isPositive().isLessThanOrEqualTo(HOUR);
        assertThat(Deadline.left(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(Deadline.left(Duration.ZERO)).isZero();
        assertThat(Deadline.isOver()).isFalse();
    }

    @Test
    void when_it_has_passed_nothing_is_left_and_never_less() {
        Deadline.set(Duration.ofMillis(1));

        await().pollInSameThread().until(Deadline::isOver);

        assertThat(Deadline.left(DAY)).isZero();
    }

    @Test
    void a_deadline_of_no_time_is_over_at_once() {
        Deadline.set(Duration.ZERO);

        assertThat(Deadline.isOver()).isTrue();
        assertThat(Deadline.left(DAY)).isZero();
    }

    @Test
    void a_later_one_takes_the_place_of_an_earlier() {
        Deadline.set(Duration.ZERO);
        Deadline.set(HOUR);

        assertThat(Deadline.isOver()).isFalse();
        assertThat(Deadline.left(DAY)).isPositive();
    }

    @Test
    void once_cleared_there_is_none() {
        Deadline.set(Duration.ZERO);
        Deadline.clear();

        assertThat(Deadline.isOver()).isFalse();
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }

    @Test
    void it_is_of_no_other_thread() throws Exception {
        CompletableFuture<Duration> left = new CompletableFuture<>();
        Deadline.set(Duration.ZERO);

        Thread.ofVirtual().start(() -> left.complete(Deadline.left(DAY))).join();

        assertThat(left).isCompletedWithValue(DAY);
    }

    @Test
    void what_is_done_for_others_knows_nothing_of_it() {
        Deadline.set(Duration.ZERO);

        Duration left = Deadline.disregarded(() -> Deadline.left(DAY));

        assertThat(left).isEqualTo(DAY);
        assertThat(Deadline.isOver()).isTrue();
    }

    @Test
    void a_failure_of_what_is_done_for_others_leaves_it_as_it_was() {
        Deadline.set(Duration.ZERO);

        assertThatThrownBy(() -> Deadline.disregarded(() -> {
                    throw new IllegalStateException("a mistake");
                }))
                .hasMessage("a mistake");

        assertThat(Deadline.isOver()).isTrue();
    }

    @Test
    void where_there_is_none_work_for_others_leaves_none() {
        assertThat(Deadline.disregarded(() -> Deadline.left(DAY))).isEqualTo(DAY);
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }
}

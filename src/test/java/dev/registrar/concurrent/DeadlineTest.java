package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Deadlines of threads: what they leave of a time, and where they begin and end. */
class DeadlineTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void without_a_deadline_all_of_a_time_is_left() {
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
        assertThat(Deadline.left(Duration.ZERO)).isZero();
        assertThat(Deadline.isOver()).isFalse();
    }

    @Test
    void a_deadline_ends_a_longer_time_early_and_no_shorter_one() {
        Deadline.runWithin(HOUR, () -> {
            assertThat(Deadline.left(DAY)).isPositive().isLessThanOrEqualTo(HOUR);
            assertThat(Deadline.left(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
            assertThat(Deadline.left(Duration.ZERO)).isZero();
            assertThat(Deadline.isOver()).isFalse();
        });
    }

    @Test
    void after_a_deadline_zero_is_left_and_never_less() {
        Deadline.runWithin(Duration.ofMillis(1), () -> {
            await().pollInSameThread().until(Deadline::isOver);

            assertThat(Deadline.left(DAY)).isZero();
        });
    }

    @Test
    void a_deadline_of_no_time_is_over_at_once() {
        assertThat(Deadline.within(Duration.ZERO, Deadline::isOver)).isTrue();
        assertThat(Deadline.within(Duration.ZERO, () -> Deadline.left(DAY))).isZero();
    }

    @Test
    void it_ends_with_its_work() {
        assertThat(Deadline.within(Duration.ZERO, () -> "done")).isEqualTo("done");
        Deadline.runWithin(Duration.ZERO, () -> {});

        assertThat(Deadline.isOver()).isFalse();
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }

    @Test
    void it_ends_with_work_that_fails() {
        assertThatThrownBy(() -> Deadline.within(Duration.ZERO, DeadlineTest::fail))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Deadline.runWithin(Duration.ZERO, DeadlineTest::fail))
                .isInstanceOf(IOException.class);

        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }

    private static boolean fail() throws IOException {
        throw new IOException("a mistake");
    }

    @Test
    void of_two_deadlines_the_earlier_applies_and_the_outer_one_comes_back() {
        Deadline.runWithin(HOUR, () -> {
            assertThat(Deadline.within(Duration.ZERO, Deadline::isOver)).isTrue();
            Deadline.runWithin(
                    Duration.ZERO, () -> assertThat(Deadline.isOver()).isTrue());
            assertThat(Deadline.within(DAY, () -> Deadline.left(DAY))).isLessThanOrEqualTo(HOUR);
            Deadline.runWithin(DAY, () -> assertThat(Deadline.left(DAY)).isLessThanOrEqualTo(HOUR));

            assertThat(Deadline.left(DAY)).isPositive().isLessThanOrEqualTo(HOUR);
        });
    }

    @Test
    void another_thread_does_not_have_it() throws InterruptedException {
        CompletableFuture<Duration> left = new CompletableFuture<>();

        Deadline.runWithin(
                Duration.ZERO,
                () -> Thread.ofVirtual()
                        .start(() -> left.complete(Deadline.left(DAY)))
                        .join());

        assertThat(left).isCompletedWithValue(DAY);
    }

    @Test
    void work_for_others_does_not_have_it() {
        Deadline.runWithin(Duration.ZERO, () -> {
            assertThat(Deadline.without(() -> Deadline.left(DAY))).isEqualTo(DAY);
            assertThat(Deadline.isOver()).isTrue();
        });
    }

    @Test
    void after_work_for_others_that_fails_it_is_there_again() {
        Deadline.runWithin(Duration.ZERO, () -> {
            assertThatThrownBy(() -> Deadline.without(DeadlineTest::fail)).isInstanceOf(IOException.class);
            assertThat(Deadline.isOver()).isTrue();
        });
    }

    @Test
    void work_for_others_leaves_no_deadline_where_there_was_none() {
        assertThat(Deadline.without(() -> Deadline.left(DAY))).isEqualTo(DAY);
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }
}

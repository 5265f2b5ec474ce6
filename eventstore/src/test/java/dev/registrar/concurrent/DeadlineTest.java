package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Deadlines of threads: how they shorten a time, where they begin and where they end. */
class DeadlineTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    @Test
    void without_a_deadline_a_time_is_not_shortened() {
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
        assertThat(Deadline.left(Duration.ZERO)).isZero();
        assertThat(Deadline.isOver()).isFalse();
    }

    @Test
    void a_deadline_shortens_a_longer_time_but_not_a_shorter_one() {
        Deadline.runWithin(HOUR, () -> {
            assertThat(Deadline.left(DAY)).isPositive().isLessThanOrEqualTo(HOUR);
            assertThat(Deadline.left(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
            assertThat(Deadline.left(Duration.ZERO)).isZero();
            assertThat(Deadline.isOver()).isFalse();
        });
    }

    @Test
    void after_a_deadline_the_remaining_time_is_zero_and_not_negative() {
        Deadline.runWithin(Duration.ofMillis(1), () -> {
            await().pollInSameThread().until(Deadline::isOver);

            assertThat(Deadline.left(DAY)).isZero();
        });
    }

    @Test
    void a_deadline_of_zero_has_passed_at_once() {
        assertThat(Deadline.within(Duration.ZERO, Deadline::isOver)).isTrue();
        assertThat(Deadline.within(Duration.ZERO, () -> Deadline.left(DAY))).isZero();
    }

    @Test
    void a_deadline_ends_with_its_work() {
        assertThat(Deadline.within(Duration.ZERO, () -> "done")).isEqualTo("done");
        Deadline.runWithin(Duration.ZERO, () -> {});

        assertThat(Deadline.isOver()).isFalse();
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }

    @Test
    void a_deadline_ends_when_its_work_fails() {
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
    void the_earlier_of_nested_deadlines_applies_and_the_outer_one_is_restored() {
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
    void another_thread_does_not_inherit_the_deadline() throws InterruptedException {
        CompletableFuture<Duration> left = new CompletableFuture<>();

        Deadline.runWithin(
                Duration.ZERO,
                () -> Thread.ofVirtual()
                        .start(() -> left.complete(Deadline.left(DAY)))
                        .join());

        assertThat(left).isCompletedWithValue(DAY);
    }

    @Test
    void work_for_other_callers_runs_without_the_deadline() {
        Deadline.runWithin(Duration.ZERO, () -> {
            assertThat(Deadline.until(null, () -> Deadline.left(DAY))).isEqualTo(DAY);
            assertThat(Deadline.isOver()).isTrue();
        });
    }

    @Test
    void the_deadline_is_restored_when_work_for_other_callers_fails() {
        Deadline.runWithin(Duration.ZERO, () -> {
            assertThatThrownBy(() -> Deadline.until(null, DeadlineTest::fail)).isInstanceOf(IOException.class);
            assertThat(Deadline.isOver()).isTrue();
        });
    }

    @Test
    void work_for_other_callers_leaves_no_deadline_behind() {
        assertThat(Deadline.until(null, () -> Deadline.left(DAY))).isEqualTo(DAY);
        assertThat(Deadline.left(DAY)).isEqualTo(DAY);
    }
}

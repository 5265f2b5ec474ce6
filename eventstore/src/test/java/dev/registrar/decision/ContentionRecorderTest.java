package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.ItemContention.LostRaces;
import dev.registrar.decision.testkit.SettableClock;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ContentionRecorderTest {
    private static final QueryItem COURSE = item("course:c1");
    private static final int SLICES = Math.toIntExact(ContentionRecorder.WINDOW.dividedBy(ContentionRecorder.SLICE));

    private static final int MANY = 100 * ContentionRecorder.MOST_ITEMS;

    private final SettableClock clock = new SettableClock(Instant.parse("2030-01-01T12:00:00Z"));
    private final ContentionRecorder recorder = new ContentionRecorder(clock);

    private static QueryItem item(String tag) {
        return QueryItem.types("StudentEnrolledInCourse").tagged(tag);
    }

    private void conflict(QueryItem item) {
        recorder.conflict(item, "EnrollStudent", "StudentEnrolledInCourse");
    }

    @Test
    void each_kind_of_competition_is_counted_by_item() {
        conflict(COURSE);
        conflict(COURSE);
        recorder.retry(COURSE);
        recorder.gaveUp(COURSE);
        recorder.queue(COURSE, 7);
        recorder.queue(COURSE, 3);
        conflict(item("course:c2"));

        List<ItemContention> latest = recorder.latest(Map.of(COURSE, 4));

        assertThat(latest).extracting(ItemContention::item).containsExactly(COURSE, item("course:c2"));
        ItemContention course = latest.getFirst();
        assertThat(course.conflicts()).isEqualTo(2);
        assertThat(course.retries()).isEqualTo(1);
        assertThat(course.gaveUp()).isEqualTo(1);
        assertThat(course.longestQueue()).isEqualTo(7);
        assertThat(course.waiting()).isEqualTo(4);
        assertThat(course.missed()).isZero();
        assertThat(course.conflictsOverTime()).hasSize(SLICES).last().isEqualTo(2L);
    }

    @Test
    void counts_expire_slice_by_slice_as_the_clock_advances() {
        conflict(COURSE);
        clock.advance(ContentionRecorder.SLICE);
        conflict(COURSE);
        recorder.queue(COURSE, 9);
        assertThat(only().conflictsOverTime().subList(SLICES - 2, SLICES)).containsExactly(1L, 1L);

        clock.advance(ContentionRecorder.SLICE.multipliedBy(SLICES - 1));
        assertThat(only().conflicts()).isEqualTo(1);
        assertThat(only().conflictsOverTime()).first().isEqualTo(1L);
        assertThat(only().longestQueue()).isEqualTo(9);

        clock.advance(ContentionRecorder.SLICE);
        assertThat(recorder.latest(Map.of())).isEmpty();
    }

    @Test
    void after_a_quiet_window_nothing_is_left() {
        conflict(COURSE);

        clock.advance(ContentionRecorder.WINDOW.multipliedBy(3));

        assertThat(recorder.latest(Map.of())).isEmpty();
    }

    @Test
    void a_clock_that_is_set_back_loses_no_new_count() {
        conflict(COURSE);
        clock.advance(Duration.ofMinutes(-1));
        conflict(COURSE);
        assertThat(only().conflicts()).isEqualTo(2);

        clock.advance(Duration.ofHours(-5));
        conflict(COURSE);
        assertThat(only().conflicts()).isEqualTo(1);
    }

    @Test
    void very_many_different_items_leave_a_bounded_number() {
        for (int i = 0; i < MANY; i++) {
            conflict(item("course:" + i));
        }

        List<ItemContention> latest = recorder.latest(Map.of());

        assertThat(latest).hasSize(ContentionRecorder.MOST_ITEMS);
        assertThat(latest).allSatisfy(item -> {
            assertThat(item.conflicts()).isEqualTo(1);
            assertThat(item.missed()).isLessThanOrEqualTo(MANY / ContentionRecorder.MOST_ITEMS);
        });
    }

    /* The item has every hundredth conflict: more than the 200th part above which Space-Saving keeps every item. */
    @Test
    void the_most_conflicted_item_stays_among_very_many_others() {
        int conflicts = 0;
        for (int i = 0; i < MANY; i++) {
            if (i % 100 == 42) {
                conflict(COURSE);
                conflicts++;
            } else {
                conflict(item("course:" + i));
            }
        }

        ItemContention course = recorder.latest(Map.of()).getFirst();

        assertThat(course.item()).isEqualTo(COURSE);
        assertThat(course.conflicts()).isLessThanOrEqualTo(conflicts);
        assertThat(course.conflicts() + course.missed()).isGreaterThanOrEqualTo(conflicts);
    }

    @Test
    void concurrent_counts_are_exact_while_there_is_room() throws Exception {
        int threads = 8;
        int each = 5_000;
        List<Future<?>> ended = new ArrayList<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(threads)) {
            for (int caller = 0; caller < threads; caller++) {
                ended.add(callers.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        conflict(item("course:" + i % ContentionRecorder.MOST_ITEMS));
                        if (i % 1_000 == 0) {
                            recorder.latest(Map.of());
                        }
                    }
                }));
            }
        }
        for (Future<?> caller : ended) {
            caller.get();
        }

        assertThat(recorder.latest(Map.of()))
                .hasSize(ContentionRecorder.MOST_ITEMS)
                .allMatch(item -> item.conflicts() == (long) threads * each / ContentionRecorder.MOST_ITEMS)
                .allMatch(item -> item.missed() == 0);
    }

    @Test
    void of_a_very_long_item_only_the_beginning_is_kept() {
        List<String> types = IntStream.range(0, 100)
                .mapToObj(i -> "T%s%s".formatted(i, "😀".repeat(100)))
                .toList();
        QueryItem endless = QueryItem.of(types, List.of(new Tag("x".repeat(100_000))));

        conflict(endless);
        recorder.retry(endless);

        ItemContention kept = only();
        assertThat(kept.conflicts()).isEqualTo(1);
        assertThat(kept.retries()).isEqualTo(1);
        assertThat(String.join("", kept.item().types()).length()).isLessThanOrEqualTo(501);
        assertThat(kept.item().types()).last().asString().endsWith("😀…");
        assertThat(kept.item().tags()).singleElement().asString().hasSize(501).endsWith("x…");
    }

    @Test
    void the_latest_conflicts_say_what_lost_to_which_event() {
        recorder.conflict(COURSE, "CloseCourse", "CourseClosed");
        conflict(COURSE);
        conflict(COURSE);
        recorder.conflict(item("course:c2"), "DropStudent", "CourseClosed");

        assertThat(recorder.latest(Map.of()).getFirst().lostRaces())
                .containsExactly(
                        new LostRaces("EnrollStudent", "StudentEnrolledInCourse", 2),
                        new LostRaces("CloseCourse", "CourseClosed", 1));
    }

    @Test
    void losers_are_known_for_the_latest_conflicts_of_the_window_only() {
        recorder.conflict(COURSE, "CloseCourse", "CourseClosed");
        clock.advance(ContentionRecorder.WINDOW.minus(ContentionRecorder.SLICE));
        conflict(COURSE);
        assertThat(only().lostRaces()).hasSize(2);
        clock.advance(ContentionRecorder.SLICE);
        assertThat(only().lostRaces()).containsExactly(new LostRaces("EnrollStudent", "StudentEnrolledInCourse", 1));

        for (int i = 0; i < 1_000; i++) {
            recorder.conflict(COURSE, "l".repeat(10_000) + i, "😀".repeat(10_000));
        }

        assertThat(only().lostRaces()).singleElement().satisfies(lost -> {
            assertThat(lost.times()).isEqualTo(ContentionRecorder.LATEST_CONFLICTS);
            assertThat(lost.loser()).hasSize(101).endsWith("l…");
            assertThat(lost.winner()).hasSize(101).endsWith("😀…");
        });
    }

    @Test
    void a_recorder_that_is_off_records_nothing() {
        ContentionRecorder off = ContentionRecorder.off();

        off.conflict(COURSE, "EnrollStudent", "StudentEnrolledInCourse");
        off.queue(COURSE, 3);

        assertThat(off.latest(Map.of(COURSE, 3))).isEmpty();
    }

    private ItemContention only() {
        List<ItemContention> latest = recorder.latest(Map.of());
        assertThat(latest).hasSize(1);
        return latest.getFirst();
    }
}

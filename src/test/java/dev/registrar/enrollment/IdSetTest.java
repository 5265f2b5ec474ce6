package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ids in the states of courses, beside sets and a regular expression of the JDK. */
class IdSetTest {
    private static final int IDS = 3_000;
    private static final int CHANGES = 20_000;
    private static final int PAGE_BYTES = 150;

    private record Sets(IdSet ids, Set<String> expected) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {20_261_127, 20_261_128, 20_261_129})
    void each_of_the_sets_that_random_changes_make_has_the_ids_of_another_set(long seed) {
        Random random = new Random(seed);
        IdSet ids = IdSet.EMPTY;
        Set<String> expected = new TreeSet<>();
        List<Sets> kept = new ArrayList<>();
        for (int i = 0; i < CHANGES; i++) {
            String id = id(random.nextInt(IDS));
            // The sets grow and shrink in turn.
            boolean adds = random.nextInt(10) < (i / 4_000 % 2 == 0 ? 8 : 2);
            IdSet before = ids;
            ids = adds ? ids.plus(id) : ids.minus(id);
            boolean changes = adds ? expected.add(id) : expected.remove(id);
            assertThat(ids.contains(id)).isEqualTo(adds);
            if (changes) {
                assertThat(ids).isNotSameAs(before);
            } else {
                assertThat(ids).isSameAs(before);
            }
            if (i % 200 == 0) {
                kept.add(new Sets(ids, new TreeSet<>(expected)));
            }
        }

        assertThat(ids.contains(id(IDS))).isFalse();
        assertThat(kept).allSatisfy(sets -> assertSame(sets.ids, sets.expected));
    }

    /* A third of the ids has the maximum length. An id is often the beginning or the end of another one. */
    private static String id(int number) {
        String id = Integer.toString(number);
        return number % 3 == 0 ? id + "-".repeat(64 - id.length()) : id;
    }

    private static void assertSame(IdSet ids, Set<String> expected) {
        assertThat(ids).hasSameSizeAs(expected).isEqualTo(expected).hasSameHashCodeAs(expected);
        assertThat(IdSet.of(ids.pages())).isEqualTo(ids).hasSameSizeAs(ids);
        assertThat(IdSet.of(ids.pages()).kilobytes()).isEqualTo(ids.kilobytes());
        // As lists, because a set would hide an id that is iterated twice.
        assertThat(ids.stream().sorted().toList()).isEqualTo(List.copyOf(expected));
        int characters = expected.stream().mapToInt(id -> id.length() + 1).sum();
        assertThat(ids.kilobytes())
                .isBetween(
                        Math.ceilDiv(characters, 1_024),
                        Math.ceilDiv(characters + PAGE_BYTES * expected.size(), 1_024));
    }

    @Test
    void a_changed_set_leaves_the_one_before_as_it_was() {
        IdSet before = IdSet.EMPTY.plus("ann").plus("bob");

        assertThat(before.plus("cid")).containsExactlyInAnyOrder("ann", "bob", "cid");
        assertThat(before.minus("ann")).containsExactly("bob");
        assertThat(before).containsExactlyInAnyOrder("ann", "bob");
    }

    @Test
    void a_set_takes_a_byte_for_each_character_and_150_for_each_further_page() {
        // A page of 79 ids with 12 characters and a line feed is split. So each page but the last keeps 39.
        int furtherPages = 24;

        assertThat(students(1_000, 2_000).kilobytes())
                .isEqualTo(Math.ceilDiv(13 * 1_000 + PAGE_BYTES * furtherPages, 1_024));
        assertThat(IdSet.EMPTY.kilobytes()).isZero();
        assertThat(IdSet.EMPTY.plus("a").kilobytes()).isOne();
    }

    @Test
    void a_set_that_all_ids_have_left_takes_nothing_and_can_be_filled_again() {
        IdSet ids = students(10_000, 20_000);
        for (int i = 10_000; i < 20_000; i++) {
            ids = ids.minus("student-" + i);
        }

        assertThat(ids.kilobytes()).isZero();
        assertSame(ids, Set.of());
        assertThat(ids.plus("student-15000").plus("ann")).containsExactlyInAnyOrder("ann", "student-15000");
    }

    @Test
    void ids_that_come_and_go_leave_no_pages_behind() {
        IdSet ids = students(100_000, 100_200);
        for (int i = 100_000; i < 200_000; i++) {
            ids = ids.plus("student-" + (i + 200)).minus("student-" + i);
        }

        assertThat(ids).hasSize(200);
        // 200 ids with 14 characters and a line feed, in at most 8 pages.
        assertThat(ids.kilobytes()).isLessThanOrEqualTo(Math.ceilDiv(15 * 200 + 7 * PAGE_BYTES, 1_024));
    }

    private static IdSet students(int from, int to) {
        IdSet ids = IdSet.EMPTY;
        for (int i = from; i < to; i++) {
            ids = ids.plus("student-" + i);
        }
        return ids;
    }

    @Test
    void an_id_is_checked_as_by_the_published_expression() {
        Pattern published = Pattern.compile(StudentId.PATTERN);
        for (char one = 0; one < 0x2100; one++) {
            for (String id : new String[] {"" + one, "a" + one, one + "a"}) {
                assertThat(IdSyntax.matches(id))
                        .as("U+%04X", (int) one)
                        .isEqualTo(published.matcher(id).matches());
            }
        }
        assertThat(IdSyntax.matches("")).isFalse();
        assertThat(IdSyntax.matches("a".repeat(64))).isTrue();
        assertThat(IdSyntax.matches("a".repeat(65))).isFalse();
    }
}

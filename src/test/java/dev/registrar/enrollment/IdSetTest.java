package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The ids in the states of courses, beside sets and a regular expression of the JDK. */
class IdSetTest {
    private static final int IDS = 3_000;
    private static final int CHANGES = 20_000;
    private static final long SEED = 20_261_127;

    @Test
    void random_changes_leave_the_same_ids_as_in_another_set() {
        Random random = new Random(SEED);
        IdSet ids = IdSet.EMPTY;
        Set<String> expected = new HashSet<>();
        for (int i = 0; i < CHANGES; i++) {
            // One id is often the beginning or the end of another one.
            String id = Integer.toString(random.nextInt(IDS));
            boolean adds = random.nextInt(3) > 0;
            ids = adds ? ids.plus(id) : ids.minus(id);
            boolean changed = adds ? expected.add(id) : expected.remove(id);
            assertThat(ids.contains(id)).isEqualTo(adds);
            assertThat(changed || ids == ids.plus(id) || ids == ids.minus(id)).isTrue();
        }
        assertThat(ids).hasSameSizeAs(expected).isEqualTo(expected);
        assertThat(ids.contains(Integer.toString(IDS))).isFalse();

        for (String id : expected) {
            ids = ids.minus(id);
        }
        assertThat(ids).isEmpty();
        assertThat(ids.kilobytes()).isZero();
    }

    @Test
    void a_changed_set_leaves_the_one_before_as_it_was() {
        IdSet before = IdSet.EMPTY.plus("ann").plus("bob");

        assertThat(before.plus("cid")).containsExactlyInAnyOrder("ann", "bob", "cid");
        assertThat(before.minus("ann")).containsExactly("bob");
        assertThat(before).containsExactlyInAnyOrder("ann", "bob");
    }

    @Test
    void a_set_takes_a_byte_for_each_character_and_line_feed() {
        IdSet ids = IdSet.EMPTY;
        for (int i = 0; i < 1_000; i++) {
            ids = ids.plus("student-%s".formatted(1_000 + i));
        }
        assertThat(ids.kilobytes()).isEqualTo(Math.ceilDiv(13 * 1_000, 1_024));
        assertThat(IdSet.EMPTY.plus("a").kilobytes()).isOne();
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

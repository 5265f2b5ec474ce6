package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompactSetTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 8, 9, 100})
    void a_copy_equals_the_set_and_keeps_the_given_order(int size) {
        List<Integer> descending =
                IntStream.range(0, size).map(i -> size - i).boxed().toList();

        Set<Integer> set = CompactSet.copyOf(descending);

        assertThat(set).containsExactlyElementsOf(descending).hasSize(size);
        assertThat(set).isEqualTo(new HashSet<>(descending)).hasSameHashCodeAs(new HashSet<>(descending));
        assertThat(new HashSet<>(descending)).isEqualTo(set);
        assertThat(set.contains(0)).isFalse();
        assertThat(set.contains(size)).isEqualTo(size > 0);
        assertThat(CompactSet.copyOf(set)).isEqualTo(set).containsExactlyElementsOf(descending);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 6, 12})
    void a_repeated_element_is_kept_once_at_its_first_place(int size) {
        List<String> twice = new ArrayList<>(Collections.nCopies(size, "b"));
        twice.addFirst("a");
        twice.addLast("a");

        assertThat(CompactSet.copyOf(twice)).containsExactly("a", "b");
    }

    @Test
    void a_set_is_immutable() {
        List<String> given = new ArrayList<>(List.of("a", "b"));
        Set<String> set = CompactSet.copyOf(given);

        given.clear();

        assertThat(set).containsExactly("a", "b");
        assertThatThrownBy(set::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> set.remove("a")).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 20})
    void a_null_element_is_refused(int size) {
        Integer[] nothing = new Integer[size];

        assertThatThrownBy(() -> CompactSet.copyOf(Arrays.asList(nothing))).isInstanceOf(NullPointerException.class);
    }
}

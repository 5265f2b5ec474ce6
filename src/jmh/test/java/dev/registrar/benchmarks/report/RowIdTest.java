package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowIdTest {
    @Test
    void the_text_of_an_id_has_ordered_parameters_and_the_callers_last() {
        RowId id = new RowId("append-if/no-conflict", new TreeMap<>(Map.of("events", "1", "dataset", "tiny")), 10);

        assertThat(id).hasToString("append-if/no-conflict dataset=tiny events=1 callers=10");
        assertThat(RowId.parse(id.toString())).isEqualTo(id);
        assertThat(id.group()).isEqualTo("append-if");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "append/single",
                "append callers=1",
                "append/single callers=0",
                "append/single callers=1 dataset=small",
                "append/batch events=2 dataset=small callers=1",
                "append/single small callers=1"
            })
    void text_in_another_form_is_rejected(String text) {
        assertThatThrownBy(() -> RowId.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void ids_sort_numbers_and_sizes_by_value() {
        List<String> inOrder = List.of(
                "append/batch dataset=small events=2 callers=1",
                "append/batch dataset=small events=10 callers=1",
                "append/batch dataset=small events=100 callers=1",
                "append/single dataset=tiny callers=1",
                "append/single dataset=small callers=1",
                "append/single dataset=small callers=10",
                "append/single dataset=medium callers=1",
                "read/batch as=list callers=1",
                "read/batch as=stream callers=1");

        assertThat(inOrder.reversed().stream().map(RowId::parse).sorted().map(RowId::toString))
                .containsExactlyElementsOf(inOrder);
    }
}

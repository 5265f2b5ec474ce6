package dev.registrar.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchmarksTest {
    private static final List<BenchmarkRow> ALL = BenchmarkRow.all();

    private static List<String> selected(String text) {
        return Benchmarks.selected(text, ALL).stream().map(BenchmarkRow::id).toList();
    }

    @Test
    void a_regular_expression_selects_rows_by_their_ids() {
        assertThat(selected("^append/single dataset=small")).containsExactly("append/single dataset=small callers=1");
        assertThat(selected("append-if/known-tags"))
                .containsExactly(
                        "append-if/known-tags dataset=small callers=1",
                        "append-if/known-tags dataset=small callers=10",
                        "append-if/known-tags dataset=small callers=100");
        assertThat(selected("nothing like it")).isEmpty();
    }

    @Test
    void the_name_of_a_published_row_selects_the_rows_that_answer_it() {
        assertThat(selected("AppendIf_NoConflict_12"))
                .containsExactlyInAnyOrder(
                        "append-if/no-conflict dataset=tiny events=12 callers=1",
                        "append-if/no-conflict dataset=small events=12 callers=1");
    }

    @Test
    void rows_on_request_run_only_if_they_are_selected() {
        assertThat(selected("")).noneMatch(row -> row.contains("stability") || row.contains("peers/"));
        assertThat(selected("stability")).containsExactly("resilience/stability dataset=small callers=10");
    }

    @Test
    void rows_take_turns_with_their_baselines() {
        assertThat(Benchmarks.groups(Benchmarks.selected("^(append-if/known-tags|append/single)", ALL), ALL))
                .extracting(group -> group.stream().map(BenchmarkRow::id).toList())
                .contains(
                        List.of(
                                "append/single dataset=tiny callers=1",
                                "append/single dataset=small callers=1",
                                "append/single dataset=medium callers=1"),
                        List.of(
                                "baseline/insert dataset=small callers=10",
                                "append-if/known-tags dataset=small callers=10"));
    }

    @Test
    void a_row_knows_its_database_and_parameters() {
        BenchmarkRow row = Benchmarks.selected("durability/append events=50 flush=false", ALL)
                .getFirst();

        assertThat(row.template()).isEqualTo(Template.EMPTY);
        assertThat(row.database()).containsEntry("synchronous_commit", "false");
        assertThat(row.parameters()).containsEntry("events", "50");
    }
}

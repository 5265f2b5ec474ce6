package dev.registrar.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.benchmarks.suite.Suite;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PublishedRowTest {
    private final List<PublishedRow> published = PublishedRow.all();

    @Test
    void every_document_has_all_rows_of_its_tables() {
        assertThat(Stream.of(PublishedDocument.values()).map(this::rowsOf)).containsExactly(57L, 75L, 26L, 67L, 22L);
    }

    @Test
    void every_row_that_is_asked_for_is_one_of_the_suite() {
        assertThat(Report.rows()).isNotEmpty().isSubsetOf(Suite.rows());
    }

    @Test
    void only_these_have_no_answer() {
        assertThat(published.stream().filter(row -> row.rows().isEmpty()))
                .extracting(row -> row.table() + ": " + row.name())
                .containsExactly(
                        "Web-App Load Testing: Append Benchmark",
                        "Web-App Load Testing: Append-If Benchmark",
                        "Web-App Load Testing: Read Benchmark",
                        "Web-App Load Testing: Project Benchmark");
    }

    @Test
    void no_row_is_there_twice() {
        assertThat(published)
                .extracting(row -> List.of(row.document(), row.table(), row.name()))
                .doesNotHaveDuplicates();
    }

    @Test
    void rounds_of_callers_are_told_in_calls() {
        PublishedRow row = published.stream()
                .filter(candidate -> candidate.table().equals("Append Performance")
                        && candidate.name().equals("Tiny, 100 users, 1 event"))
                .findAny()
                .orElseThrow();

        assertThat(row.figure()).startsWith("133 ops/sec");
        assertThat(row.truth()).isEqualTo(Range.parse("13320"));
        assertThat(row.answers()).containsExactly(RowId.parse("append/concurrent dataset=tiny events=1 callers=100"));
    }

    private long rowsOf(PublishedDocument document) {
        return published.stream().filter(row -> row.document() == document).count();
    }
}

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
    void every_row_that_the_page_shows_is_in_the_suite() {
        assertThat(Report.rows()).isNotEmpty().isSubsetOf(Suite.rows());
    }

    @Test
    void only_the_rows_over_http_have_no_row_in_the_suite() {
        assertThat(published.stream().filter(row -> row.rows().isEmpty()))
                .extracting(row -> row.table() + ": " + row.name())
                .containsExactly(
                        "Web-App Load Testing: Append Benchmark",
                        "Web-App Load Testing: Append-If Benchmark",
                        "Web-App Load Testing: Read Benchmark",
                        "Web-App Load Testing: Project Benchmark");
    }

    @Test
    void every_published_row_is_listed_once() {
        assertThat(published)
                .extracting(row -> List.of(row.document(), row.table(), row.name()))
                .doesNotHaveDuplicates();
    }

    @Test
    void published_rounds_of_callers_are_converted_to_calls() {
        PublishedRow row = published.stream()
                .filter(candidate -> candidate.table().equals("Append Performance")
                        && candidate.name().equals("Tiny, 100 users, 1 event"))
                .findAny()
                .orElseThrow();

        assertThat(row.figure()).startsWith("133 ops/sec");
        assertThat(row.actual()).isEqualTo(Range.parse("13320"));
        assertThat(row.equivalents())
                .containsExactly(RowId.parse("append/concurrent dataset=tiny events=1 callers=100"));
    }

    private long rowsOf(PublishedDocument document) {
        return published.stream().filter(row -> row.document() == document).count();
    }
}

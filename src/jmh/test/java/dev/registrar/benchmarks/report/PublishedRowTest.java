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

    private long rowsOf(PublishedDocument document) {
        return published.stream().filter(row -> row.document() == document).count();
    }
}

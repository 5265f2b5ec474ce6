package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.toCollection;

import dev.registrar.benchmarks.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Writes the page on the results. */
public final class Report {
    /** When a row counts. */
    static final String STEADY = "A row is steady if its iterations have no significant trend (Mann and Kendall, 5 %,"
            + " and a change of at least a tenth by their median slope) and half of their 99.9 % confidence interval"
            + " is below a quarter of their mean. A row that is not steady is measured again for twice as long, up to the run's"
            + " number of attempts. If it still is not, it is marked, and neither drawn nor compared. A rate"
            + " that rises was perhaps still warming up, and is then too low.";

    /** Which rows are not measured as the settings of their run say. */
    public static final String OTHER_LENGTHS = "pool/cpu and pool/mixed: 5 iterations of 5 s without warm-up;"
            + " resilience/stability: 10 iterations of a minute";

    private Report() {}

    /**
     * Takes the file of results and the page to write, and may take a file into which the results are copied; ignores
     * further arguments.
     */
    public static void main(String... given) throws IOException {
        String[] arguments = Setting.separate(given);
        if (arguments.length < 2) {
            throw new IllegalArgumentException("Usage: Report <results.json> <page.html> [<copy.json>]");
        }
        Path page = Path.of(arguments[1]);
        ResultFile results = ResultFile.read(Path.of(arguments[0]));
        write(results, page);
        System.out.println("The results page: " + page.toAbsolutePath());
        if (arguments.length > 2 && !arguments[2].isBlank()) {
            Path copy = Path.of(arguments[2]);
            Files.writeString(copy, results.text());
            System.out.println("Its results: " + copy.toAbsolutePath());
        }
        List<RowId> unexplained = new SlowerRows(PublishedRow.all(), results).withoutReason();
        if (!unexplained.isEmpty()) {
            System.out.printf("Slower than published, without a reason in %s:%n", SlowerRows.REASONS);
            unexplained.forEach(row -> System.out.println("  " + row));
        }
    }

    /** Writes the page. */
    public static void write(Path resultFile, Path page) throws IOException {
        write(ResultFile.read(resultFile), page);
    }

    private static void write(ResultFile results, Path page) throws IOException {
        Files.writeString(page, new HtmlReport(results, PublishedRow.all()).text());
    }

    /** Returns the rows that the page shows in its headlines and charts or beside published rows. */
    public static SortedSet<RowId> rows() {
        ResultFile nothing = new ResultFile(List.of());
        Stream<RowId> headlines = Headlines.QUESTIONS.stream()
                .flatMap(question -> question.pairs().stream())
                .flatMap(pair -> Stream.concat(Stream.of(pair.subject()), pair.baselines().stream()));
        Stream<RowId> charts = new Charts(nothing).all().stream().flatMap(chart -> chart.missing().stream());
        Stream<RowId> published = PublishedRow.all().stream().flatMap(row -> row.rows().stream());
        return Stream.of(headlines, charts, published).flatMap(rows -> rows).collect(toCollection(TreeSet::new));
    }
}

package dev.registrar.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.core.io.ClassPathResource;
import org.thymeleaf.context.Context;
import org.thymeleaf.spring6.SpringTemplateEngine;
import org.thymeleaf.templateresolver.ClassLoaderTemplateResolver;

/** Writes the pages on the results of a folder: one with charts that answer questions, and one with all rows. */
public final class Pages {
    static final List<String> NAMES = List.of("index.html", "rows.html");

    private static final SpringTemplateEngine TEMPLATES = templates();

    private Pages() {}

    /** A run: one of its rows, and how many there are. */
    record Run(Measured row, long rows) {}

    /** Takes the folder, which has a file of results, and may have others in the same form. */
    public static void main(String... arguments) throws IOException {
        Path folder = Path.of(arguments.length == 0 || arguments[0].isBlank() ? "docs/benchmarks" : arguments[0]);
        write(folder);
        System.out.println("The pages: " + folder.toAbsolutePath());
    }

    /** Writes both pages into the folder. */
    public static void write(Path folder) throws IOException {
        Map<String, Measured> rows = Results.below(folder).rows();
        RowsPage tables = new RowsPage(rows);
        Context model = new Context(
                Locale.ROOT,
                Map.of(
                        "style",
                        text(new ClassPathResource("report.css", Pages.class)),
                        "charts",
                        Chart.all().stream()
                                .flatMap(chart -> chart.answered(rows).stream())
                                .toList(),
                        "runs",
                        runs(rows),
                        "documents",
                        tables.documents(),
                        "slower",
                        tables.slower(),
                        "rows",
                        tables.all()));
        for (String name : NAMES) {
            Files.writeString(folder.resolve(name), TEMPLATES.process(name, model));
        }
    }

    private static List<Run> runs(Map<String, Measured> rows) {
        return rows.values().stream()
                .collect(Collectors.toMap(
                        Measured::circumstances,
                        row -> new Run(row, 1),
                        (run, other) -> new Run(run.row(), run.rows() + 1)))
                .values()
                .stream()
                .sorted(Comparator.comparing((Run run) -> run.row().fact("at"))
                        .thenComparing(run -> run.row().circumstances().toString()))
                .toList();
    }

    private static SpringTemplateEngine templates() {
        ClassLoaderTemplateResolver resolver = new ClassLoaderTemplateResolver();
        resolver.setPrefix("dev/registrar/benchmarks/report/");
        resolver.setCharacterEncoding("UTF-8");
        SpringTemplateEngine engine = new SpringTemplateEngine();
        engine.setTemplateResolver(resolver);
        return engine;
    }

    static String text(ClassPathResource resource) {
        try {
            return resource.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

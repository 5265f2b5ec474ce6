package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Template;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The pages of the web console. */
final class ConsoleFigures {
    private ConsoleFigures() {}

    static List<Rotation> rotations() {
        return List.of(catalogue(), explorer(Template.LARGE), explorer(Template.HOT));
    }

    private static Rotation explorer(Template template) {
        List<ConsoleExplorer.Page> pages = ConsoleExplorer.Page.of(template);
        List<Figure> figures = new ArrayList<>();
        for (ConsoleExplorer.Page page : pages) {
            String id =
                    "console-explorer-" + page.name().toLowerCase(Locale.ROOT).replace('_', '-');
            String what = "the event explorer at 1,000,000 events: " + page.words();
            figures.add(new Figure(id, what + ", p95", page.reading("p95"), null, "ms", Bar.atMost(100, 50)));
            figures.add(new Figure(id + "-p50", what + ", p50", page.reading("p50"), null, "ms", Bar.SHOWN));
        }
        return new Rotation(
                List.of(new ProgramTrial(
                        pages.stream().flatMap(page -> page.readings().stream()).toList(),
                        ConsoleExplorer.class,
                        List.of(template.name()),
                        template,
                        1)),
                figures);
    }

    private static Rotation catalogue() {
        List<ConsoleCatalogue.Page> pages = Arrays.asList(ConsoleCatalogue.Page.values());
        return new Rotation(
                List.of(new ProgramTrial(
                        pages.stream().map(ConsoleCatalogue.Page::words).toList(),
                        ConsoleCatalogue.class,
                        List.of(),
                        Template.LARGE,
                        1)),
                pages.stream()
                        .map(page -> new Figure(
                                "console-catalogue-" + page.name().toLowerCase(Locale.ROOT),
                                "the catalogue of 16,000 courses, p99: " + page.words(),
                                page.words(),
                                null,
                                "ms",
                                Bar.atMost(100, 25)))
                        .toList());
    }
}

package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Template;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The pages of the web console. */
final class ConsoleFigures {
    private ConsoleFigures() {}

    static List<Rotation> rotations() {
        return List.of(catalogue());
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

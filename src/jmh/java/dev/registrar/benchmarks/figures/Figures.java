package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.Progress;
import dev.registrar.benchmarks.RunLog;
import dev.registrar.testdatabase.TestServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Measures figures, each beside its baseline, and prints which of them meet their bars.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row01} measures the figures whose
 * id contains a match of the regular expression. {@code -Drounds}, {@code -Dwarmup} and {@code -Dmeasure} set rounds
 * and times; {@code -Dhuge=true} adds the store of ten million events; {@code -Dsmoke=true} only checks that everything
 * works, on little data. Results go to {@code target/figures.json}, in which a later run replaces the figures that it
 * measured. The output of JMH goes to {@code target/benchmarks.log}.
 */
public final class Figures {
    private Figures() {}

    /** Takes a regular expression and measures the figures whose id contains a match; without it, all. */
    public static void main(String[] arguments) {
        Pattern pattern = Pattern.compile(arguments.length == 0 ? ".*" : arguments[0]);
        RunSettings settings = RunSettings.ofThisProcess();
        if (settings.smoke()) {
            // Without forks, JMH runs the callers in this process.
            System.setProperty("jmh.executor", "VIRTUAL");
        }
        List<Rotation> rotations = AllFigures.rotations(settings);
        List<Chosen> chosen = chosen(rotations, pattern);
        if (chosen.isEmpty()) {
            System.out.printf("No figure's id matches '%s'. Figures:%n", pattern);
            rotations.forEach(rotation -> rotation.figures().forEach(figure -> System.out.println("  " + figure.id())));
            System.exit(1);
        }
        boolean allMeasured = measured(chosen, settings);
        TestServer.stop();
        System.exit(allMeasured ? 0 : 1);
    }

    /** The chosen figures of a rotation. */
    private record Chosen(Rotation rotation, List<Figure> figures) {
        List<Trial> trials() {
            return rotation.neededBy(figures);
        }

        String ids() {
            return figures.stream().map(Figure::id).collect(Collectors.joining(", "));
        }
    }

    private static List<Chosen> chosen(List<Rotation> rotations, Pattern pattern) {
        return rotations.stream()
                .map(rotation -> new Chosen(
                        rotation,
                        rotation.figures().stream()
                                .filter(figure -> pattern.matcher(figure.id()).find())
                                .toList()))
                .filter(chosen -> !chosen.figures().isEmpty())
                .toList();
    }

    private static String plan(List<Chosen> chosen, RunSettings settings) {
        int figures = chosen.stream().mapToInt(some -> some.figures().size()).sum();
        int runs = settings.rounds()
                * chosen.stream().mapToInt(some -> some.trials().size()).sum();
        return "Figures: %s. Runs of their trials in %s rounds: %s, about %s and the time to prepare databases"
                .formatted(
                        figures,
                        settings.rounds(),
                        runs,
                        Progress.text(settings.trial().multipliedBy(runs)));
    }

    private static boolean measured(List<Chosen> chosen, RunSettings settings) {
        System.out.println(plan(chosen, settings));
        System.out.println("Starting the database server");
        Path file = settings.smoke() ? FigureFile.SMOKE : FigureFile.FIGURES;
        List<FigureResult> results = new ArrayList<>();
        try (PreparedDatabases databases = new PreparedDatabases(settings.smoke())) {
            Map<String, String> circumstances = Circumstances.of(databases, settings.thoroughness());
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            Progress progress = new Progress(chosen.size());
            for (Chosen some : chosen) {
                System.out.printf("%nGroup %s: %s%n", progress.next(), some.ids());
                List<FigureResult> measured = some.rotation().run(some.figures(), databases, settings);
                FigureFile.write(file, measured, circumstances);
                results.addAll(measured);
            }
        }
        System.out.printf("%n%s%n", FigureResult.TABLE_HEAD);
        results.sort(Comparator.comparing(result -> result.figure().id()));
        results.forEach(result -> System.out.println(result.tableRow()));
        System.out.printf("%nThe results: %s%n", file.toAbsolutePath());
        System.out.printf("The output of JMH: %s%n", RunLog.FILE.toAbsolutePath());
        return results.size()
                == chosen.stream().mapToInt(some -> some.figures().size()).sum();
    }
}

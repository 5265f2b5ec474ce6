package dev.registrar.benchmarks.figures;

import dev.registrar.TestServer;
import dev.registrar.benchmarks.Circumstances;
import dev.registrar.benchmarks.PreparedDatabases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Measures figures, each beside its yardstick, and prints which of them meet their bars.
 *
 * <p>{@code mvn -q verify -Pfigures -Dfigures=row01} measures the figures whose id contains a match of the regular
 * expression. {@code -Drounds}, {@code -Dwarmup} and {@code -Dmeasure} set rounds and times; {@code -Dhuge=true} adds
 * the store of ten million events; {@code -Dsmoke=true} only checks that everything works, on little data. Results go
 * to {@code target/figures.json}, in which a later run replaces the figures that it measured. The output of JMH goes to
 * {@code target/benchmarks.log}.
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
        boolean allMeasured = measured(pattern, settings);
        TestServer.stop();
        System.exit(allMeasured ? 0 : 1);
    }

    private static boolean measured(Pattern pattern, RunSettings settings) {
        List<Rotation> rotations = AllFigures.rotations(settings);
        List<FigureResult> results = new ArrayList<>();
        int wanted = 0;
        try (PreparedDatabases databases = new PreparedDatabases(settings.smoke())) {
            Map<String, String> circumstances = Circumstances.of(databases, settings.thoroughness());
            circumstances.forEach((name, value) -> System.out.printf("%s: %s%n", name, value));
            for (Rotation rotation : rotations) {
                List<Figure> chosen = rotation.figures().stream()
                        .filter(figure -> pattern.matcher(figure.id()).find())
                        .toList();
                if (!chosen.isEmpty()) {
                    wanted += chosen.size();
                    List<FigureResult> measured = rotation.run(chosen, databases, settings);
                    FigureFile.write(settings.smoke() ? FigureFile.SMOKE : FigureFile.FIGURES, measured, circumstances);
                    results.addAll(measured);
                }
            }
        }
        if (wanted == 0) {
            System.out.printf("No figure's id matches '%s'. Figures:%n", pattern);
            rotations.forEach(rotation -> rotation.figures().forEach(figure -> System.out.println("  " + figure.id())));
            return false;
        }
        System.out.printf("%n%s%n", FigureResult.TABLE_HEAD);
        results.sort(Comparator.comparing(result -> result.figure().id()));
        results.forEach(result -> System.out.println(result.tableRow()));
        return results.size() == wanted;
    }
}

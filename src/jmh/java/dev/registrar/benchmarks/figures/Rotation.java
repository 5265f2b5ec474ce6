package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.RunLog;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Trials that take turns, because figures compare them. Each round runs each trial once, so that a slow minute affects
 * all of them. Every second round runs them in reverse, so that no trial is always the first.
 */
record Rotation(List<Trial> trials, List<Figure> figures) {

    /**
     * Measures the chosen figures with the trials that they need.
     *
     * @return the figures whose trials succeeded in every round
     */
    List<FigureResult> run(List<Figure> chosen, PreparedDatabases databases, RunSettings settings) {
        List<Trial> needed = neededBy(chosen);
        Set<Trial> failed = new HashSet<>();
        List<Map<String, Double>> rounds = IntStream.rangeClosed(1, settings.rounds())
                .mapToObj(number ->
                        round(number, number % 2 == 1 ? needed : needed.reversed(), failed, databases, settings))
                .toList();
        return chosen.stream()
                .filter(figure -> failed.stream()
                        .flatMap(trial -> trial.readings().stream())
                        .noneMatch(figure::needs))
                .map(figure -> result(figure, rounds))
                .toList();
    }

    /** Returns the trials that the chosen figures need. */
    List<Trial> neededBy(List<Figure> chosen) {
        return trials.stream()
                .filter(trial -> trial.readings().stream()
                        .anyMatch(reading -> chosen.stream().anyMatch(figure -> figure.needs(reading))))
                .toList();
    }

    /* A trial that has failed is not run again; the others continue. */
    private static Map<String, Double> round(
            int number, List<Trial> trials, Set<Trial> failed, PreparedDatabases databases, RunSettings settings) {
        Map<String, Double> readings = new LinkedHashMap<>();
        for (Trial trial : trials) {
            if (failed.contains(trial)) {
                continue;
            }
            try {
                Map<String, Double> measured = trial.run(databases, settings);
                measured.forEach((name, value) ->
                        System.out.printf("  %s of %s: %s: %s%n", number, settings.rounds(), name, Spread.text(value)));
                readings.putAll(measured);
            } catch (IllegalStateException failure) {
                failure.printStackTrace(RunLog.stream());
                System.out.printf("  FAILED: %s: %s%n", trial.readings(), failure.getMessage());
                failed.add(trial);
            }
        }
        return readings;
    }

    private static FigureResult result(Figure figure, List<Map<String, Double>> rounds) {
        Spread subject = spread(figure.subject(), rounds);
        @Nullable String baseline = figure.baseline();
        if (baseline == null) {
            return new FigureResult(figure, subject, null, subject.median());
        }
        Spread beside = spread(baseline, rounds);
        List<Double> ratios = IntStream.range(0, rounds.size())
                .mapToObj(i -> subject.runs().get(i) / beside.runs().get(i))
                .toList();
        return new FigureResult(figure, subject, beside, Spread.median(ratios));
    }

    private static Spread spread(String reading, List<Map<String, Double>> rounds) {
        return new Spread(
                reading,
                rounds.stream()
                        .map(round -> Optional.ofNullable(round.get(reading)).orElseThrow())
                        .toList());
    }
}

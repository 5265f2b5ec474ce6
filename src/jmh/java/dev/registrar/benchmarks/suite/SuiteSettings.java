package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Setting;
import dev.registrar.benchmarks.Template;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The data sets and the times of the measurements of rows.
 *
 * @param warmup the time of calls before each row's measurement, in the same process
 * @param iterations the number of iterations of each row, after the warm-up
 * @param measure the duration of an iteration
 * @param attempts how often a row is measured if it is not steady, 1 to 5; each attempt takes twice as long as the one
 *     before
 * @param huge whether to measure the store of ten million events, which takes ten minutes to load
 */
record SuiteSettings(
        List<Template> dataSets, TimeValue warmup, int iterations, TimeValue measure, int attempts, boolean huge) {
    /** The data sets of the published figures. */
    static final List<Template> DATA_SETS = List.of(Template.TINY, Template.SMALL, Template.MEDIUM);

    /** The time for the JVM's start, the copy of the database and the set-up of an attempt. */
    private static final Duration PREPARATION = Duration.ofSeconds(3);

    private static final int MOST_ATTEMPTS = 5;

    SuiteSettings {
        if (iterations < 1) {
            throw new IllegalArgumentException("A row has at least one iteration but iterations was " + iterations);
        }
        if (attempts < 1 || attempts > MOST_ATTEMPTS) {
            throw new IllegalArgumentException(
                    "A row has 1 to %s attempts but attempts was %s".formatted(MOST_ATTEMPTS, attempts));
        }
    }

    /** Returns these settings with other times. */
    SuiteSettings lasting(TimeValue otherWarmup, int otherIterations, TimeValue otherMeasure) {
        return new SuiteSettings(dataSets, otherWarmup, otherIterations, otherMeasure, attempts, huge);
    }

    /** Returns these settings with at most this number of attempts. */
    SuiteSettings trying(int mostAttempts) {
        return new SuiteSettings(dataSets, warmup, iterations, measure, Math.min(attempts, mostAttempts), huge);
    }

    /** Returns the settings from system properties of the same names. */
    static SuiteSettings ofThisProcess() {
        String dataSet = System.getProperty("dataset", "");
        return new SuiteSettings(
                dataSet.isBlank() ? DATA_SETS : List.of(dataSet(dataSet)),
                Setting.time("warmup", "8s"),
                Integer.getInteger("iterations", 10),
                Setting.time("measure", "500ms"),
                Integer.getInteger("attempts", 2),
                Boolean.getBoolean("huge"));
    }

    private static Template dataSet(String name) {
        return DATA_SETS.stream()
                .filter(template -> template.name().equals(name.toUpperCase(Locale.ROOT)))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        "A data set is tiny, small or medium but was '%s'".formatted(name)));
    }

    /** Returns the settings for the reader of the results. */
    Map<String, String> thoroughness() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("warm-up", warmup.toString());
        facts.put("iterations", "%s of %s".formatted(iterations, measure));
        facts.put(
                "attempts", attempts == 1 ? "1" : "up to %s, each twice as long as the one before".formatted(attempts));
        return facts;
    }

    /** Returns how long a row takes if its first attempt is steady. */
    Duration shortest() {
        return PREPARATION.plus(counted());
    }

    /** Returns how long a row takes if it needs all attempts. */
    Duration longest() {
        return PREPARATION.multipliedBy(attempts).plus(counted().multipliedBy((1L << attempts) - 1));
    }

    private Duration counted() {
        return Duration.ofMillis(
                warmup.convertTo(TimeUnit.MILLISECONDS) + measure.convertTo(TimeUnit.MILLISECONDS) * iterations);
    }
}

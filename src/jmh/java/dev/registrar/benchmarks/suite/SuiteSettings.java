package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The data sets and the times of the measurements of rows.
 *
 * @param warmup the time of calls before each row's measurement, in the same process
 * @param iterations the number of iterations of each row, after the warm-up
 * @param measure the duration of an iteration
 * @param huge whether to measure the store of ten million events, which takes ten minutes to load
 */
record SuiteSettings(List<Template> dataSets, TimeValue warmup, int iterations, TimeValue measure, boolean huge) {
    /** The data sets of the published figures. */
    static final List<Template> DATA_SETS = List.of(Template.TINY, Template.SMALL, Template.MEDIUM);

    /** Returns the settings from system properties of the same names. */
    static SuiteSettings ofThisProcess() {
        String dataSet = System.getProperty("dataset", "");
        return new SuiteSettings(
                dataSet.isBlank() ? DATA_SETS : List.of(dataSet(dataSet)),
                TimeValue.fromString(System.getProperty("warmup", "4s")),
                Integer.getInteger("iterations", 5),
                TimeValue.fromString(System.getProperty("measure", "1s")),
                Boolean.getBoolean("huge"));
    }

    private static Template dataSet(String name) {
        return DATA_SETS.stream()
                .filter(template -> template.name().equals(name.toUpperCase(Locale.ROOT)))
                .findAny()
                .orElseThrow(() -> new IllegalArgumentException(
                        "A data set is tiny, small or medium but was '%s'".formatted(name)));
    }

    /** Returns what a reader of the results needs to know. */
    Map<String, String> thoroughness() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("warm-up", warmup.toString());
        facts.put("iterations", "%d of %s".formatted(iterations, measure));
        return facts;
    }
}

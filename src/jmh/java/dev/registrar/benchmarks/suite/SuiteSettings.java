package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How thoroughly rows are measured, and on which of the data sets.
 *
 * @param warmup of each row, in the process that measures it
 * @param iterations of each row, after the warm-up
 * @param measure what an iteration lasts
 * @param huge whether ten million events are worth their minutes of loading
 */
record SuiteSettings(List<Template> dataSets, TimeValue warmup, int iterations, TimeValue measure, boolean huge) {
    /** The data sets that others publish figures for. */
    static final List<Template> DATA_SETS = List.of(Template.TINY, Template.SMALL, Template.MEDIUM);

    /** As the system properties of the same names say. */
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

    /** What a reader of the results needs to know of it. */
    Map<String, String> thoroughness() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("warm-up", warmup.toString());
        facts.put("iterations", "%d of %s".formatted(iterations, measure));
        return facts;
    }
}

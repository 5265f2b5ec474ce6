package dev.registrar.benchmarks.figures;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * How thoroughly figures are measured.
 *
 * @param rounds how often subject and yardstick take turns
 * @param warmup before each measurement, in the same process
 * @param measure what one measurement lasts
 * @param smoke only shows that everything works: one short round with little data and few callers
 * @param huge whether ten million events are worth their ten minutes of loading
 */
record RunSettings(int rounds, TimeValue warmup, TimeValue measure, boolean smoke, boolean huge) {
    private static final TimeValue SHORT = TimeValue.milliseconds(100);
    private static final int FEW_CALLERS = 10;

    /** As the system properties of the same names say; 5 rounds of 3 s and 4 s without them. */
    static RunSettings ofThisProcess() {
        if (Boolean.getBoolean("smoke")) {
            return new RunSettings(1, SHORT, SHORT, true, Boolean.getBoolean("huge"));
        }
        return new RunSettings(
                Integer.getInteger("rounds", 5),
                TimeValue.fromString(System.getProperty("warmup", "15s")),
                TimeValue.fromString(System.getProperty("measure", "4s")),
                false,
                Boolean.getBoolean("huge"));
    }

    /** The same settings for a process that this one starts. */
    Map<String, String> asProperties() {
        return Map.of(
                "rounds", Integer.toString(rounds),
                "warmup", warmup.toString(),
                "measure", measure.toString(),
                "smoke", Boolean.toString(smoke),
                "huge", Boolean.toString(huge));
    }

    /** What a reader of the figures needs to know of it. */
    Map<String, String> thoroughness() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("rounds", Integer.toString(rounds));
        facts.put("warm-up", warmup.toString());
        facts.put("measured", measure.toString());
        return facts;
    }

    int callers(int wanted) {
        return smoke ? Math.min(wanted, FEW_CALLERS) : wanted;
    }

    /** A bound on how long a trial's process may take. */
    long timeoutSeconds() {
        return 1_800 + warmup.convertTo(TimeUnit.SECONDS) + measure.convertTo(TimeUnit.SECONDS);
    }
}

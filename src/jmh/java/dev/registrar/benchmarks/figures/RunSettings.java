package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Setting;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * The number and the times of the measurements of figures.
 *
 * @param rounds how often each trial runs
 * @param warmup the time of calls before each measurement, in the same process
 * @param measure the duration of one measurement
 * @param smoke whether to only check that everything works: one short round with little data and few callers
 * @param huge whether to measure the store of ten million events, which takes ten minutes to load
 */
record RunSettings(int rounds, TimeValue warmup, TimeValue measure, boolean smoke, boolean huge) {
    private static final TimeValue SHORT = TimeValue.milliseconds(100);
    private static final int FEW_CALLERS = 10;
    /** The time for the start of a trial's JVM and the copy of its database. */
    private static final Duration START = Duration.ofSeconds(4);

    /**
     * Returns the settings from system properties of the same names; by default 5 rounds of 15 s warm-up and 4 s
     * measurement.
     */
    static RunSettings ofThisProcess() {
        if (Boolean.getBoolean("smoke")) {
            return new RunSettings(1, SHORT, SHORT, true, Boolean.getBoolean("huge"));
        }
        return new RunSettings(
                Integer.getInteger("rounds", 5),
                Setting.time("warmup", "15s"),
                Setting.time("measure", "4s"),
                false,
                Boolean.getBoolean("huge"));
    }

    /** Returns the system properties that pass the settings to another process. */
    Map<String, String> asProperties() {
        return Map.of(
                "rounds", Integer.toString(rounds),
                "warmup", warmup.toString(),
                "measure", measure.toString(),
                "smoke", Boolean.toString(smoke),
                "huge", Boolean.toString(huge));
    }

    /** Returns the settings for the reader of the figures. */
    Map<String, String> thoroughness() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("rounds", Integer.toString(rounds));
        facts.put("warm-up", warmup.toString());
        facts.put("measured", measure.toString());
        return facts;
    }

    /** Returns about how long one run of a trial takes, without the preparation of its database. */
    Duration trial() {
        return START.plusMillis(warmup.convertTo(TimeUnit.MILLISECONDS) + measure.convertTo(TimeUnit.MILLISECONDS));
    }

    int callers(int wanted) {
        return smoke ? Math.min(wanted, FEW_CALLERS) : wanted;
    }

    /** The time after which the process of a trial is killed, in seconds. */
    long timeoutSeconds() {
        return 1_800 + warmup.convertTo(TimeUnit.SECONDS) + measure.convertTo(TimeUnit.SECONDS);
    }
}

package dev.registrar.benchmarks.suite;

import org.openjdk.jmh.runner.options.TimeValue;

/** How long a row is measured. */
enum Length {
    /** As long as the settings say. */
    USUAL {
        @Override
        SuiteSettings of(SuiteSettings settings) {
            return settings;
        }
    },
    /** Five iterations of few calls that take seconds each, without warm-up: a call compiles its code at once. */
    FEW_CALLS {
        @Override
        SuiteSettings of(SuiteSettings settings) {
            return settings.lasting(TimeValue.NONE, 5, TimeValue.seconds(5)).trying(2);
        }
    },
    /** Ten minutes, only when asked for by name. */
    TEN_MINUTES {
        @Override
        SuiteSettings of(SuiteSettings settings) {
            return settings.lasting(settings.warmup(), 10, TimeValue.minutes(1)).trying(1);
        }
    };

    abstract SuiteSettings of(SuiteSettings settings);
}

package dev.registrar.benchmarks.suite;

import org.openjdk.jmh.runner.options.TimeValue;

/** The duration of a row's measurement. */
enum Length {
    /** As in the settings. */
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
    /** Ten minutes, only for a row that is named. */
    TEN_MINUTES {
        @Override
        SuiteSettings of(SuiteSettings settings) {
            return settings.lasting(settings.warmup(), 10, TimeValue.minutes(1)).trying(1);
        }
    };

    abstract SuiteSettings of(SuiteSettings settings);
}

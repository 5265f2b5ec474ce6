package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;

/** The kinds of prepared databases. Each measurement gets a fresh copy of one. */
public enum Template {
    /** The store's tables, empty. */
    EMPTY,
    /** 35 events. */
    TINY,
    /** 30,500 events. */
    SMALL,
    /** 61,000 events; 10,000 of them register students. */
    MEDIUM,
    /** 1,000,000 events. */
    LARGE,
    /** 10,000,000 events. */
    HUGE,
    /** 305,000 events: 5,000 courses and 50,000 students in 5 courses each. */
    PEERS,
    /** The small data set and 300,000 more students. */
    FRESHMEN,
    /** 2,000 events with tags of several frequencies. */
    TAGGED_2000,
    /** 100,000 events with tags of several frequencies. */
    TAGGED_100000,
    /** 1,000,000 events with tags of several frequencies. */
    TAGGED_1000000;

    /** Returns its contents: fewer events if they only check that everything works. */
    public Contents contents(boolean few) {
        return switch (this) {
            case EMPTY -> new Contents(DataSet.SMALL, 0, 0, 0);
            case TINY -> Contents.of(DataSet.TINY);
            case SMALL -> Contents.of(DataSet.SMALL);
            case MEDIUM -> Contents.of(few ? DataSet.SMALL : DataSet.MEDIUM);
            case LARGE -> Contents.of(few ? DataSet.SMALL : DataSet.LARGE);
            case HUGE -> few ? new Contents(DataSet.SMALL, 3, 0, 0) : new Contents(DataSet.LARGE, 10, 0, 0);
            case PEERS -> new Contents(DataSet.SMALL, few ? 1 : 10, 0, 0);
            case FRESHMEN -> new Contents(few ? DataSet.TINY : DataSet.SMALL, 1, few ? 3_000 : 300_000, 0);
            case TAGGED_2000 -> new Contents(DataSet.SMALL, 0, 0, 2_000);
            case TAGGED_100000 -> new Contents(DataSet.SMALL, 0, 0, few ? 2_000 : 100_000);
            case TAGGED_1000000 -> new Contents(DataSet.SMALL, 0, 0, few ? 2_000 : 1_000_000);
        };
    }
}

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
    /** The tiny data set and 3,000 more students, for tests. */
    FEW_FRESHMEN,
    /** 2,000 events with tags of several frequencies. */
    TAGGED_2000,
    /** 100,000 events with tags of several frequencies. */
    TAGGED_100000,
    /** 1,000,000 events with tags of several frequencies. */
    TAGGED_1000000;

    public Contents contents() {
        return switch (this) {
            case EMPTY -> new Contents(DataSet.SMALL, 0, 0, 0);
            case TINY -> Contents.of(DataSet.TINY);
            case SMALL -> Contents.of(DataSet.SMALL);
            case MEDIUM -> Contents.of(DataSet.MEDIUM);
            case LARGE -> Contents.of(DataSet.LARGE);
            case HUGE -> new Contents(DataSet.LARGE, 10, 0, 0);
            case PEERS -> new Contents(DataSet.SMALL, 10, 0, 0);
            case FRESHMEN -> new Contents(DataSet.SMALL, 1, 300_000, 0);
            case FEW_FRESHMEN -> new Contents(DataSet.TINY, 1, 3_000, 0);
            case TAGGED_2000 -> new Contents(DataSet.SMALL, 0, 0, 2_000);
            case TAGGED_100000 -> new Contents(DataSet.SMALL, 0, 0, 100_000);
            case TAGGED_1000000 -> new Contents(DataSet.SMALL, 0, 0, 1_000_000);
        };
    }
}

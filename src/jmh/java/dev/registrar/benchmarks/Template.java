package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;

/** The kinds of prepared databases. Each trial gets a fresh copy of one. */
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
    /** The small data set and 300,000 more students. */
    FRESHMEN,
    /** 1,000,000 events with either of two tags, and 10 with a rare tag. */
    HOT;

    /** Returns its contents: fewer events in a smoke run, which only checks that everything works. */
    public Contents contents(boolean smoke) {
        return switch (this) {
            case EMPTY -> new Contents(DataSet.SMALL, 0, 0, 0);
            case TINY -> Contents.of(DataSet.TINY);
            case SMALL -> Contents.of(DataSet.SMALL);
            case MEDIUM -> Contents.of(smoke ? DataSet.SMALL : DataSet.MEDIUM);
            case LARGE -> Contents.of(smoke ? DataSet.MEDIUM : DataSet.LARGE);
            case HUGE -> smoke ? new Contents(DataSet.SMALL, 3, 0, 0) : new Contents(DataSet.LARGE, 10, 0, 0);
            case FRESHMEN -> new Contents(DataSet.SMALL, 1, smoke ? 20_000 : 300_000, 0);
            case HOT -> new Contents(DataSet.SMALL, 0, 0, smoke ? 5_000 : 500_000);
        };
    }
}

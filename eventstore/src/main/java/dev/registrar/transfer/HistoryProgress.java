package dev.registrar.transfer;

/** Receives how far an export or an import is. */
@FunctionalInterface
public interface HistoryProgress {
    /** Ignores the progress. */
    HistoryProgress NONE = (events, total) -> {};

    /**
     * Receives progress.
     *
     * @param events how many events are written
     * @param total the number of events that the history has
     */
    void moved(long events, long total);
}

package dev.registrar.dataset;

import java.io.PrintStream;
import java.util.Locale;

/** A progress bar on one line of the terminal. */
public final class ProgressBar {
    private static final int WIDTH = 40;

    private final PrintStream out;
    private final String what;
    private final long before;
    private final long total;
    private final long started = System.nanoTime();

    /** Prepares a bar, which is shown with the first progress. */
    public ProgressBar(PrintStream out, String what, long before, long total) {
        this.out = out;
        this.what = what;
        this.before = before;
        this.total = total;
    }

    /** Shows how much is done. */
    public void show(long done) {
        int filled = (int) (WIDTH * done / total);
        double seconds = (System.nanoTime() - started) / 1e9;
        out.printf(
                Locale.ENGLISH,
                "\r%s [%s%s] %3d%%  %,d of %,d events  %,.0f/s",
                what,
                "#".repeat(filled),
                ".".repeat(WIDTH - filled),
                100 * done / total,
                done,
                total,
                (done - before) / seconds);
        if (done == total) {
            out.println();
        }
        out.flush();
    }
}

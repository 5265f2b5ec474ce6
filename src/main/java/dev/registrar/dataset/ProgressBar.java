package dev.registrar.dataset;

import java.io.PrintStream;
import java.util.Locale;

/** A progress bar on one line of the terminal. */
final class ProgressBar {
    private static final int WIDTH = 40;

    private final PrintStream out;
    private final String what;
    private final int before;
    private final int total;
    private final long started = System.nanoTime();

    ProgressBar(PrintStream out, String what, int before, int total) {
        this.out = out;
        this.what = what;
        this.before = before;
        this.total = total;
    }

    void show(int done) {
        int filled = (int) ((long) WIDTH * done / total);
        double seconds = (System.nanoTime() - started) / 1e9;
        out.printf(
                Locale.ENGLISH,
                "\r%s [%s%s] %3d%%  %,d of %,d events  %,.0f/s",
                what,
                "#".repeat(filled),
                ".".repeat(WIDTH - filled),
                100L * done / total,
                done,
                total,
                (done - before) / seconds);
        if (done == total) {
            out.println();
        }
        out.flush();
    }
}

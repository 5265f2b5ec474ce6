package dev.registrar.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The lines of a file, parsed one by one. */
final class HistoryLines {
    private static final int CHUNK = 1 << 16;

    private final InputStream in;
    private final int longest;
    private final byte[] chunk = new byte[CHUNK];
    private int at;
    private int end;
    private byte[] line = new byte[4_096];
    private int length;
    private boolean whole;
    private long number;
    private long offset;

    /** @param longest the maximum length of a line in bytes */
    HistoryLines(InputStream in, int longest) {
        this.in = in;
        this.longest = longest;
    }

    /**
     * The next line that is not blank; null at the end of the file.
     *
     * @throws HistoryException if the line is not one of a history
     */
    @Nullable HistoryLine next() throws IOException {
        while (read()) {
            for (int i = 0; i < length; i++) {
                if (line[i] > ' ' || line[i] < 0) {
                    return HistoryLine.parse(line, length, number);
                }
            }
        }
        return null;
    }

    /** The number of the line, from 1 on. */
    long number() {
        return number;
    }

    /** The length of the line in bytes. */
    int length() {
        return length;
    }

    /** Whether the line has an end. The last one lacks it if its writer was interrupted. */
    boolean isWhole() {
        return whole;
    }

    /** Where the next line begins, in bytes. */
    long offset() {
        return offset;
    }

    private boolean read() throws IOException {
        length = 0;
        whole = false;
        number++;
        while (!whole) {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(chunk));
                if (end == 0) {
                    return length > 0;
                }
            }
            int stop = at;
            while (stop < end && chunk[stop] != '\n') {
                stop++;
            }
            add(stop - at);
            whole = stop < end;
            offset += stop - at + (whole ? 1 : 0);
            at = whole ? stop + 1 : stop;
        }
        return true;
    }

    private void add(int bytes) {
        if (bytes > longest - length) {
            throw new HistoryException(number, "it must have at most %s bytes but has more".formatted(longest));
        }
        if (length + bytes > line.length) {
            line = Arrays.copyOf(line, (int) Math.min(longest, 2L * (length + bytes)));
        }
        System.arraycopy(chunk, at, line, length, bytes);
        length += bytes;
    }
}

package dev.registrar.http.admission;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * The rest of a body that nobody is going to read. A connection that is closed while bytes arrive is reset, and its
 * client may then lose the answer; one that is kept for as long as bytes arrive is kept for as long as its client
 * likes.
 */
final class UnreadBody {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MOST_BYTES = 2 * 1024 * 1024;
    private static final int PIECE = 8 * 1024;

    private UnreadBody() {}

    /** Sends the answer, and takes what still comes for a moment, so that the client reads it. */
    static void skip(HttpServletRequest request, HttpServletResponse response) {
        try {
            response.flushBuffer();
            InputStream rest = request.getInputStream();
            byte[] piece = new byte[PIECE];
            long began = System.nanoTime();
            int skipped = 0;
            int read = rest.read(piece);
            while (read >= 0 && skipped < MOST_BYTES && System.nanoTime() - began < LONGEST.toNanos()) {
                skipped += read;
                read = rest.read(piece);
            }
        } catch (IOException gone) {
            // Nobody is there to be told anything.
        }
    }
}

package dev.registrar.http.admission;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * The rest of the body of a rejected request. If the server closes a connection while bytes arrive, the connection is
 * reset and the client may lose the answer. If the server kept reading until the body ends, the client would decide how
 * long. So the server reads on for a bounded time and number of bytes.
 */
final class UnreadBody {
    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MAX_BYTES = 2 * 1024 * 1024;
    private static final int BUFFER_BYTES = 8 * 1024;

    private UnreadBody() {}

    /**
     * Sends the answer, then discards what arrives, for at most 1 s and about 2 MiB, so that the client can read it.
     */
    static void skip(HttpServletRequest request, HttpServletResponse response) {
        try {
            response.flushBuffer();
            InputStream rest = request.getInputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            long started = System.nanoTime();
            int skipped = 0;
            int read = rest.read(buffer);
            while (read >= 0 && skipped < MAX_BYTES && System.nanoTime() - started < LONGEST.toNanos()) {
                skipped += read;
                read = rest.read(buffer);
            }
        } catch (IOException disconnected) {
            // The client has closed the connection.
        }
    }
}

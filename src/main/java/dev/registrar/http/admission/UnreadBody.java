package dev.registrar.http.admission;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * The rest of the body of a rejected request. If the server closes a connection while bytes arrive, the connection is
 * reset and the client may lose the answer. If the server read the body to its end, the client would decide how long
 * that takes. So the server discards bytes for a bounded time, up to a bounded number.
 */
final class UnreadBody {
    /** The attribute of a request with what gives its permit back: a {@link Runnable}. */
    static final String PERMIT = UnreadBody.class.getName();

    private static final Duration LONGEST = Duration.ofSeconds(1);
    private static final int MAX_BYTES = 2 * 1024 * 1024;
    private static final int BUFFER_BYTES = 8 * 1024;

    private UnreadBody() {}

    /**
     * Sends the answer, then discards the bytes that arrive, for 1 s and up to about 2 MiB. If the client sends
     * nothing, the last read ends at the connection's time-out, {@code server.tomcat.connection-timeout}. The request's
     * permit is given back before: a client that sends nothing must not keep other requests out.
     */
    static void skip(HttpServletRequest request, HttpServletResponse response) {
        if (request.getAttribute(PERMIT) instanceof Runnable giveBack) {
            giveBack.run();
        }
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

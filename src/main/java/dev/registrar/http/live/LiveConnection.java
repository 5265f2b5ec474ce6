package dev.registrar.http.live;

import dev.registrar.eventstore.EventStoreException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLSupport;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that has nothing more to do than to carry a live answer, until either side closes it. The request is
 * over when the answer begins: Tomcat keeps 90 KiB of buffers for a request that is being answered, and thousands of
 * live answers last at a time.
 */
public final class LiveConnection implements InternalHttpUpgradeHandler {
    /*
     * It is handed over as one is that goes on with another protocol, such as WebSocket; only that the answer is a plain
     * one of HTTP/1.1, which ends with its connection. A virtual thread writes, and Tomcat tells here what comes from
     * the client: the end of the connection, or something that nobody asked for. Either lets the answer end, and the
     * thread that writes closes the connection: Tomcat uses the objects of a closed one for the next, so nobody may be
     * writing then. It closes under Tomcat's own lock, so that what Tomcat is about to do with the connection is done.
     */
    private static final Logger LOG = LoggerFactory.getLogger(LiveConnection.class);
    private static final int READ_AT_ONCE = 256;
    /** Bytes that a client may send although nobody listens to it: some clients ask again before they hear. */
    private static final int MOST_SPOKEN = 16 * 1024;

    private @Nullable LiveAnswer answer;
    private Duration maxStall = Duration.ZERO;
    private @Nullable SocketWrapperBase<?> socket;
    private int spoken;

    /** Tomcat makes one for each answer. */
    public LiveConnection() {}

    /**
     * Sends what has been set of the response, and has the answer follow on the same connection once the request's
     * thread has returned.
     *
     * @param maxStall how long the client may take nothing of what is sent
     * @throws UnsupportedOperationException if the connection carries other requests, too, as in HTTP/2
     */
    static void carry(LiveAnswer answer, Duration maxStall, HttpServletRequest request, HttpServletResponse response) {
        try {
            LiveConnection connection = request.upgrade(LiveConnection.class);
            connection.answer = answer;
            connection.maxStall = maxStall;
            response.setStatus(HttpServletResponse.SC_OK);
            // Without this, or a length, it would have to be sent in chunks.
            response.setHeader("Connection", "close");
            response.flushBuffer();
        } catch (IOException gone) {
            LOG.debug("A listener went away before its answer began", gone);
            answer.close();
        } catch (ServletException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void setSocketWrapper(SocketWrapperBase<?> wrapper) {
        socket = wrapper;
        wrapper.setWriteTimeout(maxStall.toMillis());
    }

    @Override
    public void init(WebConnection connection) {
        Thread.ofVirtual().name("live-answer").start(() -> write(answer(), socket()));
    }

    private static void write(LiveAnswer answer, SocketWrapperBase<?> socket) {
        try (answer) {
            answer.write(new Output(socket));
        } catch (IOException gone) {
            LOG.debug("A listener has gone away, or did not read", gone);
        } catch (EventStoreException brokenOff) {
            LOG.debug("An answer to a listener was broken off", brokenOff);
        } catch (InterruptedException nobodyShould) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            if (failure.getCause() instanceof IOException) {
                LOG.debug("A listener has gone away, or did not read", failure);
            } else {
                LOG.error("Unexpected error while answering a listener", failure);
            }
        } finally {
            close(socket);
        }
    }

    private static void close(SocketWrapperBase<?> socket) {
        Lock lock = socket.getLock();
        lock.lock();
        try {
            socket.close();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SocketState upgradeDispatch(SocketEvent event) {
        if (event == SocketEvent.OPEN_READ && isThere()) {
            return SocketState.UPGRADED;
        }
        answer().close();
        // Not asked after any more, and closed by the thread that writes.
        return SocketState.SUSPENDED;
    }

    private boolean isThere() {
        try {
            byte[] ignored = new byte[READ_AT_ONCE];
            int read;
            do {
                read = socket().read(false, ignored, 0, ignored.length);
                spoken += Math.max(0, read);
            } while (read > 0 && spoken <= MOST_SPOKEN);
            return read == 0;
        } catch (IOException gone) {
            return false;
        }
    }

    private LiveAnswer answer() {
        return Objects.requireNonNull(answer, "The answer is set before its connection begins");
    }

    private SocketWrapperBase<?> socket() {
        return Objects.requireNonNull(socket, "The socket is set before its connection begins");
    }

    @Override
    public void destroy() {
        answer().close();
    }

    @Override
    public void pause() {
        // The live feed ends its listeners before the server pauses.
    }

    @Override
    public void setSslSupport(SSLSupport support) {
        // It makes no difference here.
    }

    @Override
    public void timeoutAsync(long now) {
        // A silent client is a patient one.
    }

    /** Writes to the connection, as long as the client goes on taking what is sent. */
    private static final class Output extends OutputStream {
        private final SocketWrapperBase<?> socket;

        Output(SocketWrapperBase<?> socket) {
            this.socket = socket;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            socket.write(true, bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            socket.flush(true);
        }
    }
}

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
 * A connection that carries only a live answer, until either side closes it. The request ends when the answer begins:
 * Tomcat keeps 90 KiB of buffers for a request that is being answered, and there may be thousands of live answers at a
 * time.
 */
public final class LiveConnection implements InternalHttpUpgradeHandler {
    /*
     * Tomcat hands the connection over as if it were upgraded to another protocol, such as WebSocket, but the answer is
     * a plain HTTP/1.1 answer that ends with its connection. A virtual thread writes the answer. Tomcat calls this
     * object when the client closes the connection or sends bytes; either ends the answer. The writing thread closes
     * the connection, because Tomcat reuses the objects of a closed connection and no thread may write to them
     * afterwards. It closes the connection under Tomcat's lock, so that it does not interrupt an operation of Tomcat.
     */
    private static final Logger LOG = LoggerFactory.getLogger(LiveConnection.class);
    private static final int BUFFER_BYTES = 256;
    /**
     * Number of bytes that a client may send without effect: some clients send another request before the answer ends.
     */
    private static final int MAX_IGNORED_BYTES = 16 * 1024;

    private @Nullable LiveBody body;
    private @Nullable OpenAnswers open;
    private Duration maxStall = Duration.ZERO;
    private @Nullable SocketWrapperBase<?> socket;
    private int ignored;

    /** Called by Tomcat for each answer. */
    public LiveConnection() {}

    /**
     * Sends the headers of the response. The answer follows on the same connection after the request's thread has
     * returned.
     *
     * @param body closed when the connection ends
     * @param open counts the answer while it is written
     * @param maxStall maximum time without the client reading anything
     * @throws UnsupportedOperationException if the connection also carries other requests, as in HTTP/2
     */
    static void carry(
            LiveBody body,
            OpenAnswers open,
            Duration maxStall,
            HttpServletRequest request,
            HttpServletResponse response) {
        try {
            LiveConnection connection = request.upgrade(LiveConnection.class);
            connection.body = body;
            connection.open = open;
            connection.maxStall = maxStall;
            response.setStatus(HttpServletResponse.SC_OK);
            // Without this header, and without a length, the answer would have to be chunked.
            response.setHeader("Connection", "close");
            response.flushBuffer();
        } catch (IOException disconnected) {
            LOG.debug("Listener disconnected before its answer began", disconnected);
            body.close();
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
        open().begun();
        Thread.ofVirtual().name("live-answer").start(() -> write(body(), socket(), open()));
    }

    private static void write(LiveBody body, SocketWrapperBase<?> socket, OpenAnswers open) {
        try (body) {
            body.write(new Output(socket));
        } catch (IOException disconnected) {
            LOG.debug("Listener disconnected or stopped reading", disconnected);
        } catch (EventStoreException failure) {
            LOG.debug("Answer to a listener aborted", failure);
        } catch (InterruptedException unexpected) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            if (failure.getCause() instanceof IOException) {
                LOG.debug("Listener disconnected or stopped reading", failure);
            } else {
                LOG.error("Unexpected error while answering a listener", failure);
            }
        } finally {
            try {
                close(socket);
            } finally {
                open.ended();
            }
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
        if (event == SocketEvent.OPEN_READ && isConnected()) {
            return SocketState.UPGRADED;
        }
        body().close();
        // Tomcat no longer polls the connection; the writing thread closes it.
        return SocketState.SUSPENDED;
    }

    private boolean isConnected() {
        try {
            byte[] buffer = new byte[BUFFER_BYTES];
            int read;
            do {
                read = socket().read(false, buffer, 0, buffer.length);
                ignored += Math.max(0, read);
            } while (read > 0 && ignored <= MAX_IGNORED_BYTES);
            return read == 0;
        } catch (IOException disconnected) {
            return false;
        }
    }

    private LiveBody body() {
        return Objects.requireNonNull(body, "The body is set before its connection begins");
    }

    private OpenAnswers open() {
        return Objects.requireNonNull(open, "The count is set before its connection begins");
    }

    private SocketWrapperBase<?> socket() {
        return Objects.requireNonNull(socket, "The socket is set before its connection begins");
    }

    @Override
    public void destroy() {
        body().close();
    }

    @Override
    public void pause() {
        // The live feed ends its listeners before the server pauses.
    }

    @Override
    public void setSslSupport(SSLSupport support) {
        // Encryption makes no difference here.
    }

    @Override
    public void timeoutAsync(long now) {
        // A client that sends nothing is normal: it listens.
    }

    /** Writes to the connection; fails when the client has read nothing for the maximum stall. */
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

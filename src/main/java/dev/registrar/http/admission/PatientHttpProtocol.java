package dev.registrar.http.admission;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Tomcat's HTTP/1.1 with connections that are cut only if the client takes nothing. Tomcat creates it by its name. */
public final class PatientHttpProtocol extends Http11NioProtocol {
    /*
     * Tomcat waits until the operating system calls the connection writable, and for no longer than its write timeout.
     * Linux calls it writable when a third of the send buffer is free. That buffer grows to 4 MB (net.ipv4.tcp_wmem), so a
     * client has to take 1.3 MB within the timeout, and one that takes a steady 150 KB/s is cut. A smaller buffer would cost
     * speed over long distances. So a full connection is tried again and again here, after growing pauses: it takes
     * more as soon as there is any room, and each byte that it takes begins a new wait.
     *
     * Why the pauses wait on a monitor: Tomcat calls write while it holds the connection's write lock, which is a monitor,
     * too. Before JDK 24 a virtual thread that parks there keeps its carrier thread, and a few slow clients would take all of
     * them. Object.wait keeps it as well, but there the JDK adds another carrier meanwhile.
     */
    private static final Logger LOG = LoggerFactory.getLogger(PatientHttpProtocol.class);
    private static final long FIRST_PAUSE_MILLIS = 1;
    private static final long LONGEST_PAUSE_MILLIS = 50;

    public PatientHttpProtocol() {
        super(new Endpoint());
    }

    @Component
    static final class Choice implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
        @Override
        public void customize(TomcatServletWebServerFactory factory) {
            factory.setProtocol(PatientHttpProtocol.class.getName());
        }
    }

    private static final class Endpoint extends NioEndpoint {
        @Override
        protected NioChannel createChannel(SocketBufferHandler buffers) {
            // Encrypted connections have a buffer of their own in between.
            return isSSLEnabled() ? super.createChannel(buffers) : new PatientChannel(buffers);
        }
    }

    private static final class PatientChannel extends NioChannel {
        private final Object pauses = new Object();

        PatientChannel(SocketBufferHandler buffers) {
            super(buffers);
        }

        @Override
        public int write(ByteBuffer bytes) throws IOException {
            int written = super.write(bytes);
            // Answers are written by virtual threads; Tomcat's own threads never wait here.
            if (written != 0 || !bytes.hasRemaining() || !Thread.currentThread().isVirtual()) {
                return written;
            }
            long timeout = Duration.ofMillis(socketWrapper.getWriteTimeout()).toNanos();
            long start = System.nanoTime();
            long pause = FIRST_PAUSE_MILLIS;
            while (written == 0) {
                if (timeout > 0 && System.nanoTime() - start > timeout) {
                    LOG.info(
                            "The client {} took nothing of its answer for {}: its connection is closed",
                            socketWrapper.getRemoteAddr(),
                            Duration.ofNanos(timeout));
                    throw new SocketTimeoutException("The client took nothing for " + Duration.ofNanos(timeout));
                }
                rest(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
                written = super.write(bytes);
            }
            return written;
        }

        @SuppressWarnings({"WaitNotInLoop", "NotifyWithoutWait"}) // a pause: only its time ends it
        private void rest(long millis) throws IOException {
            synchronized (pauses) {
                try {
                    pauses.wait(millis);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("Interrupted while the client took nothing of its answer");
                }
            }
        }
    }
}

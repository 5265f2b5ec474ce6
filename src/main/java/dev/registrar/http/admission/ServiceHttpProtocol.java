package dev.registrar.http.admission;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.apache.coyote.ErrorState;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Tomcat's HTTP/1.1 with two differences: the write timeout restarts with each byte that the client receives, and a
 * request that a stopping server does not read is answered 503. Tomcat creates this class by its name.
 */
public class ServiceHttpProtocol extends Http11NioProtocol {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceHttpProtocol.class);
    private static final long FIRST_PAUSE_MILLIS = 1;
    private static final long LONGEST_PAUSE_MILLIS = 50;

    private volatile String retryAfterSeconds = "1";

    public ServiceHttpProtocol() {
        super(new Endpoint());
    }

    @Override
    protected Processor createProcessor() {
        return new StoppingProcessor(this);
    }

    @Component
    static final class Choice implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
        private final HttpSettings settings;

        Choice(HttpSettings settings) {
            this.settings = settings;
        }

        @Override
        public void customize(TomcatServletWebServerFactory factory) {
            factory.setProtocol(ServiceHttpProtocol.class.getName());
            factory.addProtocolHandlerCustomizers(handler -> {
                if (handler instanceof ServiceHttpProtocol protocol) {
                    protocol.retryAfterSeconds =
                            Long.toString(settings.retryAfter().toSeconds());
                }
            });
        }
    }

    /*
     * A graceful stop first pauses the endpoint. If that happens between Tomcat's last check and the end of a request
     * line, Tomcat sets the status 503 and does not read the headers. It then misses the header Host and replaces 503
     * with 400, as if the client had sent a malformed request.
     */
    private static final class StoppingProcessor extends Http11Processor {
        private final ServiceHttpProtocol protocol;

        StoppingProcessor(ServiceHttpProtocol protocol) {
            super(protocol, protocol.getAdapter());
            this.protocol = protocol;
        }

        @Override
        protected void setErrorState(ErrorState state, @Nullable Throwable cause) {
            super.setErrorState(state, cause);
            if (protocol.isPaused() && request.getMimeHeaders().size() == 0) {
                response.setStatus(HttpStatus.SERVICE_UNAVAILABLE.value());
                response.setHeader("Retry-After", protocol.retryAfterSeconds);
            }
        }
    }

    private static final class Endpoint extends NioEndpoint {
        @Override
        protected NioChannel createChannel(SocketBufferHandler buffers) {
            // TLS connections put a buffer of their own in between.
            return isSSLEnabled() ? super.createChannel(buffers) : new StallTimeoutChannel(buffers);
        }
    }

    /*
     * Tomcat waits until the operating system reports the connection writable, for at most its write timeout. Linux
     * reports it writable when a third of the send buffer is free. That buffer grows to 4 MB (net.ipv4.tcp_wmem). So a
     * client has to receive 1.3 MB within the timeout, and a client that receives a steady 150 KB/s is disconnected. A
     * smaller buffer would cost throughput over long distances. So this channel retries a write to a full connection,
     * after growing pauses: the connection takes more as soon as there is any room, and each byte that it takes
     * restarts the timeout.
     *
     * Why the pauses wait on a monitor: Tomcat calls write while it holds the connection's write lock, which is a
     * monitor, too. Before JDK 24, a virtual thread that parks there pins its carrier thread, and a few slow clients
     * would pin all carriers. Object.wait pins it as well, but the JDK compensates with another carrier.
     *
     * Why a time-out closes the connection itself: the failed write has sent a part of a chunk. At the end of the
     * request Tomcat writes what it still holds, as a further chunk. A client that reads again by then would take the
     * head of that chunk for data.
     */
    private static final class StallTimeoutChannel extends NioChannel {
        private final Object pauses = new Object();

        StallTimeoutChannel(SocketBufferHandler buffers) {
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
                            "Client {} received nothing of its answer for {}; its connection is closed",
                            socketWrapper.getRemoteAddr(),
                            Duration.ofNanos(timeout));
                    close();
                    throw new SocketTimeoutException("The client received nothing for " + Duration.ofNanos(timeout));
                }
                pause(pause);
                pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
                written = super.write(bytes);
            }
            return written;
        }

        @SuppressWarnings({"WaitNotInLoop", "NotifyWithoutWait"}) // a pause: only its time ends it
        private void pause(long millis) throws IOException {
            synchronized (pauses) {
                try {
                    pauses.wait(millis);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    close();
                    throw new InterruptedIOException("Interrupted while the client received nothing of its answer");
                }
            }
        }
    }
}

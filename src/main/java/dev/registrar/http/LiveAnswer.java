package dev.registrar.http;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.projection.Heard;
import dev.registrar.projection.Listener;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An answer that goes on until the client goes away, is too slow, or the service stops. It is written by a thread of
 * its own, and the request that it answers is over as far as others are concerned.
 */
final class LiveAnswer {
    /*
     * Who completes the request: the thread that writes, unless writing fails. A failure makes the server deal with the
     * error at once, on a thread of its own, while the one that writes is still on its way out of the server's code; and
     * once the request is completed the server has its objects serve the next connection. So the error waits until the
     * writing thread is out, and completes the request then.
     */
    private static final Logger LOG = LoggerFactory.getLogger(LiveAnswer.class);

    /*
     * What is sent to a client that has gone is taken by this machine's network and answered with a reset, which the
     * next write finds. So a sign of life is soon followed by a second one, which finds out what came of the first.
     */
    private static final Duration SECOND_SIGN = Duration.ofSeconds(1);

    private static final Duration LONGEST_WAY_OUT = Duration.ofSeconds(30);

    private final Listener listener;
    private final LiveFormat format;
    private final DcbEvents events;
    private final Duration heartbeat;
    private final Duration secondSign;
    private final CountDownLatch written = new CountDownLatch(1);

    LiveAnswer(Listener listener, LiveFormat format, DcbEvents events, Duration heartbeat) {
        this.listener = listener;
        this.format = format;
        this.events = events;
        this.heartbeat = heartbeat;
        this.secondSign = heartbeat.compareTo(SECOND_SIGN) < 0 ? heartbeat : SECOND_SIGN;
    }

    /** Begins to write, and returns at once. */
    void begin(AsyncContext request) {
        request.setTimeout(0);
        request.addListener(new EndOfConnection());
        Thread.ofVirtual().name("live-answer").start(() -> write(request));
    }

    private void write(AsyncContext request) {
        boolean isGone = false;
        try (listener) {
            write(request.getResponse().getOutputStream());
        } catch (IOException gone) {
            LOG.debug("A listener has gone away", gone);
            isGone = true;
        } catch (EventStoreException brokenOff) {
            // Whoever is still there listens anew, after the last event that arrived.
            LOG.debug("An answer to a listener was broken off", brokenOff);
        } catch (InterruptedException nobodyShould) {
            Thread.currentThread().interrupt();
        } finally {
            if (!isGone) {
                complete(request);
            }
            written.countDown();
        }
    }

    private void write(OutputStream out) throws IOException, InterruptedException {
        boolean second = false;
        out.flush();
        Heard heard = listener.next(Duration.ZERO);
        while (true) {
            switch (heard) {
                case Heard.News(var event) -> {
                    format.event(event, events.json(event), out);
                    second = false;
                }
                case Heard.Silence() -> {
                    format.signOfLife(out);
                    second = !second;
                }
                case Heard.End(var reason) -> {
                    format.end(reason, out);
                    out.flush();
                    return;
                }
            }
            heard = nextOf(out, second ? secondSign : heartbeat);
        }
    }

    private Heard nextOf(OutputStream out, Duration silence) throws IOException, InterruptedException {
        Heard atOnce = listener.next(Duration.ZERO);
        if (!(atOnce instanceof Heard.Silence)) {
            return atOnce;
        }
        out.flush();
        return listener.next(silence);
    }

    private void awaitWritten() {
        try {
            if (!written.await(LONGEST_WAY_OUT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("A listener's connection failed, and the answer to it is still being written");
            }
        } catch (InterruptedException nobodyShould) {
            Thread.currentThread().interrupt();
        }
    }

    private static void complete(AsyncContext request) {
        try {
            request.complete();
        } catch (IllegalStateException completed) {
            LOG.trace("The server was faster", completed);
        }
    }

    private final class EndOfConnection implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            listener.close();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            listener.close();
        }

        @Override
        public void onError(AsyncEvent event) {
            listener.close();
            awaitWritten();
            complete(event.getAsyncContext());
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // It is the answer's start, and nothing more than that.
        }
    }
}

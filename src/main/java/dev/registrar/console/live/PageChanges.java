package dev.registrar.console.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.http.live.LiveBody;
import dev.registrar.http.live.LiveStreams;
import dev.registrar.security.LoginEnd;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import dev.registrar.subscription.LiveFeed;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Tells open pages that events have been appended which change what they show. A page then loads its part again with an
 * ordinary request, so no data of an event is in the stream.
 */
@Component
public final class PageChanges {
    /** A page is told at most this often, however fast events are appended. */
    private static final Duration PAUSE = Duration.ofSeconds(1);
    /** Pages that show the same load their parts spread over this time. */
    private static final Duration SPREAD = Duration.ofMillis(300);
    /** A page that is further behind the head loads its part at once, instead of events that are delivered to it. */
    private static final long MOST_EVENTS_BEHIND = 1_000;

    /** A page whose stream has ended connects again after this pause and a random one of up to the same length. */
    private static final Duration RETRY = Duration.ofSeconds(3);

    private static final Pattern POSITION = Pattern.compile("\\d{1,18}");

    private final EventStore store;
    private final LiveFeed feed;
    private final LiveStreams streams;

    PageChanges(EventStore store, LiveFeed feed, LiveStreams streams) {
        this.store = store;
        this.feed = feed;
        this.streams = streams;
    }

    /**
     * Answers a page with server-sent events {@code changed}, whose id is the position of the last matching event. They
     * begin after the position in the header {@code Last-Event-ID} or in the parameter {@code after}; without one, with
     * the next event. The controller's method must return nothing.
     *
     * @param query the events that change the page
     * @param isShown whether a page that is loaded now shows the events up to a position; the page is not told before.
     *     An {@link EventStoreException} means that it does not yet
     */
    public void follow(
            Query query, Predicate<Position> isShown, HttpServletRequest request, HttpServletResponse response) {
        String lastEventId = request.getHeader("Last-Event-ID");
        Position shown = position(lastEventId == null ? request.getParameter("after") : lastEventId);
        Position head = store.head().position();
        // A position beyond the head belongs to a history that was replaced.
        boolean isOutdated =
                shown != null && (shown.isAfter(head) || head.value() - shown.value() > MOST_EVENTS_BEHIND);
        Position after = shown == null || isOutdated ? head : shown;
        streams.answer(
                MediaType.TEXT_EVENT_STREAM_VALUE,
                () -> new Changes(feed.listen(query, after), isOutdated ? head : null, isShown),
                request,
                response);
    }

    /* A value that no page sends counts as absent. */
    private static @Nullable Position position(@Nullable String given) {
        return given != null && POSITION.matcher(given).matches() ? Position.of(Long.parseLong(given)) : null;
    }

    private final class Changes implements LiveBody {
        private final Listener listener;
        private final Predicate<Position> isShown;
        private final LoginEnd login = LoginEnd.current();

        /** The last change of which the page was not told; null if there is none. */
        private @Nullable Position changed;

        private long notBefore = System.nanoTime();
        private long lastSent = System.nanoTime();

        Changes(Listener listener, @Nullable Position changed, Predicate<Position> isShown) {
            this.listener = listener;
            this.isShown = isShown;
            if (changed != null) {
                add(changed);
            }
        }

        @Override
        public void write(OutputStream out) throws IOException, InterruptedException {
            send("retry: %s".formatted(RETRY.toMillis() + random(RETRY).toMillis()), out);
            while (!login.isReached()) {
                tell(out);
                switch (listener.next(login.left(untilNextLook()))) {
                    case FeedSignal.Delivery(var event) -> add(event.position());
                    case FeedSignal.Idle() -> beat(out);
                    case FeedSignal.End(var reason) -> {
                        send(": ended: " + KebabCase.of(reason).replace('-', ' '), out);
                        return;
                    }
                }
            }
            send(": ended: the login has ended", out);
        }

        private void tell(OutputStream out) throws IOException {
            Position position = changed;
            if (position == null || System.nanoTime() - notBefore < 0) {
                return;
            }
            if (isShown(position)) {
                changed = null;
                send("id: %1$s\nevent: changed\ndata: %1$s".formatted(position), out);
            }
            notBefore = System.nanoTime() + PAUSE.toNanos();
        }

        private boolean isShown(Position position) {
            try {
                return isShown.test(position);
            } catch (EventStoreException failure) {
                return false;
            }
        }

        private Duration untilNextLook() {
            long now = System.nanoTime();
            long untilHeartbeat = streams.heartbeat().toNanos() - (now - lastSent);
            long left = changed == null ? untilHeartbeat : Math.min(untilHeartbeat, notBefore - now);
            return Duration.ofNanos(Math.max(0, left));
        }

        /* A look at a change that is not shown yet needs no heartbeat. */
        private void beat(OutputStream out) throws IOException {
            if (System.nanoTime() - lastSent >= streams.heartbeat().toNanos()) {
                send(":", out);
            }
        }

        private void add(Position position) {
            if (changed == null) {
                notBefore =
                        Math.max(notBefore, System.nanoTime() + random(SPREAD).toNanos());
            }
            changed = position;
        }

        private static Duration random(Duration most) {
            return Duration.ofNanos(ThreadLocalRandom.current().nextLong(most.toNanos()));
        }

        private void send(String lines, OutputStream out) throws IOException {
            out.write((lines + "\n\n").getBytes(UTF_8));
            out.flush();
            lastSent = System.nanoTime();
        }

        @Override
        public void close() {
            listener.close();
        }
    }
}

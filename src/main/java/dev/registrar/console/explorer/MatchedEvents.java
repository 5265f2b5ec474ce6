package dev.registrar.console.explorer;

import dev.registrar.console.live.PageEvent;
import dev.registrar.console.live.PageSignal;
import dev.registrar.console.live.PageSource;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Reports to an open page that new events match its query, at most once in a pause. The page then loads its list again,
 * so no payload or tag is in the stream.
 */
final class MatchedEvents implements PageSource {
    static final String NAME = "matched";

    private final Listener listener;
    private final long pause;
    private long notBefore = System.nanoTime();
    private @Nullable Long matched;

    /**
     * Creates a source.
     *
     * @param pause the shortest time between two signals
     * @param first the position of a first signal, sent at once; null if there is none
     */
    MatchedEvents(Listener listener, Duration pause, @Nullable Long first) {
        this.listener = listener;
        this.pause = pause.toNanos();
        this.matched = first;
    }

    @Override
    public PageSignal next(Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            long now = System.nanoTime();
            Long last = matched;
            if (last != null && now - notBefore >= 0) {
                matched = null;
                notBefore = now + pause;
                return new PageSignal.Delivery(
                        PageEvent.of(NAME, last.toString()).withId(last.toString()));
            }
            long left = end - now;
            long wait = last == null ? left : Math.min(left, notBefore - now);
            switch (listener.next(Duration.ofNanos(Math.max(0, wait)))) {
                case FeedSignal.Delivery(var event) ->
                    matched = event.position().value();
                case FeedSignal.Idle() -> {
                    if (System.nanoTime() - end >= 0) {
                        return new PageSignal.Idle();
                    }
                }
                case FeedSignal.End(var reason) -> {
                    return new PageSignal.End(KebabCase.of(reason).replace('-', ' '));
                }
            }
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}

package dev.registrar.console.live;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.ViewBehindException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** Up to which position a view shows the events, as one answer for all pages that wait for it. */
final class ShownView {
    /*
     * While the view is behind, paused or not to be read, its last answer counts for all pages: one of them asks again
     * when the answer has expired. Otherwise a page asks only about a position after the last answer.
     */
    private final UnaryOperator<Position> view;

    private final Duration validity;

    private final ReentrantLock lock = new ReentrantLock();
    private Position shown = Position.START;
    private boolean isBehind;
    private long expiry = System.nanoTime();

    /**
     * Nothing is asked yet.
     *
     * @param view answers with its position when it has reached a position; throws {@link ViewBehindException} if it
     *     does not reach it in time
     * @param validity of an answer
     */
    ShownView(UnaryOperator<Position> view, Duration validity) {
        this.view = view;
        this.validity = validity;
    }

    /** Whether the view shows the events up to a position. */
    boolean isUpTo(Position position) {
        lock.lock();
        try {
            boolean isKnown = System.nanoTime() - expiry < 0 && (isBehind || !position.isAfter(shown));
            if (!isKnown) {
                ask(position);
            }
            return !position.isAfter(shown);
        } finally {
            lock.unlock();
        }
    }

    private void ask(Position position) {
        isBehind = true;
        try {
            shown = view.apply(Position.START);
            if (position.isAfter(shown)) {
                shown = view.apply(position);
            }
            isBehind = false;
        } catch (ViewBehindException behind) {
            // The position without a wait is the answer.
        } finally {
            expiry = System.nanoTime() + validity.toNanos();
        }
    }
}

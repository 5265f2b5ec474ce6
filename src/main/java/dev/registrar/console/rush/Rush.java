package dev.registrar.console.rush;

import java.util.concurrent.atomic.AtomicReference;

/** A rush, of which a page shows the present state. */
final class Rush {
    private final String id;
    private final AtomicReference<ShownRush> shown = new AtomicReference<>(ShownRush.preparing());

    /** Creates a rush that is being prepared. */
    Rush(String id) {
        this.id = id;
    }

    String id() {
        return id;
    }

    ShownRush shown() {
        return shown.get();
    }

    /** Changes what the pages show. */
    void show(ShownRush next) {
        shown.set(next);
    }

    /** Ends the rush with a sentence, unless it is over. */
    void end(String reason) {
        shown.updateAndGet(last -> last.isOver() ? last : ShownRush.failed(reason));
    }
}

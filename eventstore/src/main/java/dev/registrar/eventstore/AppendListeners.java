package dev.registrar.eventstore;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of an {@link AppendSource}. Thread-safe. */
public final class AppendListeners {
    private static final Logger LOG = LoggerFactory.getLogger(AppendListeners.class);

    private final List<AppendListener> listeners = new CopyOnWriteArrayList<>();

    /** Adds a listener; the returned action removes it. */
    public Runnable add(AppendListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Tells each listener of an append. A listener's failure must not fail the append, whose events are stored. */
    public void appended(Append request) {
        for (AppendListener listener : listeners) {
            try {
                listener.appended(request.events());
            } catch (Throwable error) {
                LOG.error(
                        "Unexpected error in an append listener ({} events)",
                        request.events().size(),
                        error);
            }
        }
    }
}

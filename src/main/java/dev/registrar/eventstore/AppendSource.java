package dev.registrar.eventstore;

/**
 * Notifies listeners of the appends of this process, so that readers need not wait for their next poll. A store that is
 * no append source is followed by polling alone.
 */
@FunctionalInterface
public interface AppendSource {

    /**
     * Notifies a listener of each append from now on, after its commit and before the append returns.
     *
     * @return removes the listener when run; running it again does nothing
     */
    Runnable listen(AppendListener listener);
}

package dev.registrar.eventstore;

/**
 * Notifies listeners of the appends of this process, so that readers need not wait for their next poll. Readers of a
 * store that is not an append source only poll.
 */
@FunctionalInterface
public interface AppendSource {

    /**
     * Notifies a listener of each append from now on, after its commit and before the append returns.
     *
     * @return an action that removes the listener; running it again has no effect
     */
    Runnable listen(AppendListener listener);
}

package com.example;

import dev.registrar.eventstore.EventStore;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicReference;

/** A store for a decision that something happens to between its read and its append. */
final class InterruptedStore {
    private InterruptedStore() {}

    static EventStore of(EventStore store, Runnable meanwhile) {
        AtomicReference<Runnable> once = new AtomicReference<>(meanwhile);
        return (EventStore) Proxy.newProxyInstance(
                InterruptedStore.class.getClassLoader(),
                new Class<?>[] {EventStore.class},
                (proxy, method, arguments) -> {
                    Object result = method.invoke(store, arguments);
                    if (method.getName().equals("project")) {
                        once.getAndSet(() -> {}).run();
                    }
                    return result;
                });
    }
}

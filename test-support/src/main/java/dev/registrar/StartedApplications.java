package dev.registrar;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.context.ApplicationListener;

/** Counts the Spring Boot applications that start in this JVM. Spring finds it in {@code spring.factories}. */
public final class StartedApplications implements ApplicationListener<ApplicationStartingEvent> {
    private static final AtomicInteger STARTED = new AtomicInteger();

    static int count() {
        return STARTED.get();
    }

    @Override
    public void onApplicationEvent(ApplicationStartingEvent started) {
        STARTED.incrementAndGet();
    }
}

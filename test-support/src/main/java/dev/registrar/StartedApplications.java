package dev.registrar;

import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.context.ApplicationListener;

/** Records whether a Spring Boot application has started in this JVM. Spring finds it in {@code spring.factories}. */
public final class StartedApplications implements ApplicationListener<ApplicationStartingEvent> {
    private static volatile boolean any;

    static boolean areAny() {
        return any;
    }

    @Override
    public void onApplicationEvent(ApplicationStartingEvent started) {
        any = true;
    }
}

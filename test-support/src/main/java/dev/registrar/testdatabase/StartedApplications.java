package dev.registrar.testdatabase;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationStartingEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.MapPropertySource;

/**
 * Counts the Spring Boot applications that start in this JVM, and turns off the log of the embedded server's start.
 * Spring finds this class in {@code spring.factories}. It is not loaded in a JVM without Spring Boot.
 */
public final class StartedApplications implements ApplicationListener<SpringApplicationEvent>, Ordered {
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final Map<String, Object> LOG_LEVELS =
            Map.of("logging.level.io.zonky.test.db.postgres", "warn", "logging.level.org.testcontainers", "warn");

    public static int count() {
        return STARTED.get();
    }

    /**
     * Runs an action when the JVM exits. Spring's shutdown handlers run after it has closed all application contexts,
     * but they do not run in a JVM in which no application has started.
     */
    static void atExit(Runnable action) {
        SpringApplication.getShutdownHandlers().add(action);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (count() == 0) {
                action.run();
            }
        }));
    }

    /* After the application's own settings are read, and before Spring Boot configures the log. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE + 15;
    }

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        if (event instanceof ApplicationStartingEvent) {
            STARTED.incrementAndGet();
        } else if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
            prepared.getEnvironment().getPropertySources().addLast(new MapPropertySource("test database", LOG_LEVELS));
        }
    }
}

package dev.registrar.embedded;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationContextInitializedEvent;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Starts the embedded PostgreSQL on a thread of its own as soon as the settings are known, while Spring loads the
 * service. The bean of the server then waits for the end of this start. An application without this listener starts the
 * server when it creates the bean.
 */
public final class EarlyDatabaseStart implements ApplicationListener<SpringApplicationEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(EarlyDatabaseStart.class);

    private @Nullable FutureTask<EmbeddedPostgresServer> start;

    @Override
    public void onApplicationEvent(SpringApplicationEvent event) {
        if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
            begin(prepared.getEnvironment());
        } else if (event instanceof ApplicationContextInitializedEvent initialized) {
            initialized
                    .getApplicationContext()
                    .getBeanFactory()
                    .registerSingleton(EarlyDatabaseStart.class.getName(), this);
        } else if (event instanceof ApplicationFailedEvent) {
            stopUnused();
        }
    }

    /* The bean of the settings validates them. If they are invalid, the application fails, and its failure stops the server. */
    private void begin(Environment environment) {
        if (!NoDatabaseConfigured.in(environment)) {
            return;
        }
        EmbeddedPostgresSettings settings =
                Binder.get(environment).bindOrCreate("registrar.embedded", EmbeddedPostgresSettings.class);
        FutureTask<EmbeddedPostgresServer> begun = new FutureTask<>(() -> EmbeddedPostgresServer.start(settings));
        start = begun;
        Thread.ofPlatform().name("embedded-postgres").daemon().start(begun);
    }

    /**
     * Waits for the server, and hands it over to the caller, who stops it. Empty if there was no early start.
     *
     * @throws EmbeddedPostgresFailure if the operator has to do something first
     */
    Optional<EmbeddedPostgresServer> await() {
        FutureTask<EmbeddedPostgresServer> begun = start;
        if (begun == null) {
            return Optional.empty();
        }
        try {
            EmbeddedPostgresServer server = begun.get();
            start = null;
            return Optional.of(server);
        } catch (ExecutionException failure) {
            start = null;
            throw failure.getCause() instanceof RuntimeException cause
                    ? cause
                    : new IllegalStateException("The embedded PostgreSQL did not start", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while the embedded PostgreSQL starts", interrupted);
        }
    }

    private void stopUnused() {
        try {
            Optional<EmbeddedPostgresServer> unused = await();
            if (unused.isPresent()) {
                unused.get().close();
            }
        } catch (RuntimeException | IOException secondFailure) {
            // The application reports its own failure.
            LOG.debug("The embedded PostgreSQL of a start that failed", secondFailure);
        }
    }
}

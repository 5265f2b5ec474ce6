package dev.registrar.testdatabase;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** A durable PostgreSQL in a container, for tests, benchmarks and load tests. */
public final class TestContainer {
    private static final String IMAGE = "postgres:18";
    private static final Duration DOCKER_ANSWERS = Duration.ofSeconds(3);
    private static final Duration DOCKER_PULLS = Duration.ofSeconds(60);

    private TestContainer() {}

    /**
     * Starts a container if a Docker engine responds and has the image or can pull it quickly; prints the reason if it
     * cannot.
     *
     * @param atExit receives the action that stops the container, to run it when this JVM ends
     */
    @SuppressWarnings("resource")
    public static Optional<PostgreSQLContainer> start(Consumer<Runnable> atExit) {
        if (!isAvailable()) {
            return Optional.empty();
        }
        var container = new PostgreSQLContainer(DockerImageName.parse(IMAGE))
                .withCommand("postgres", "-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "max_connections=300");
        try {
            container.start();
        } catch (RuntimeException failure) {
            System.out.println("No container: " + failure);
            return Optional.empty();
        }
        atExit.accept(container::stop);
        return Optional.of(container);
    }

    /*
     * This class asks Docker for the image itself, with a time limit of its own. That of Testcontainers, for its helper,
     * is in testcontainers.properties.
     */
    private static boolean isAvailable() {
        return docker(DOCKER_ANSWERS, "version")
                && (docker(DOCKER_ANSWERS, "image", "inspect", IMAGE)
                        || docker(DOCKER_PULLS, "pull", "--quiet", IMAGE));
    }

    private static boolean docker(Duration bound, String... arguments) {
        try {
            var command = new ArrayList<String>();
            command.add("docker");
            command.addAll(List.of(arguments));
            var process = new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException notInstalled) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

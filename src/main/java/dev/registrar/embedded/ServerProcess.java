package dev.registrar.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process of the PostgreSQL server on a data folder, found by its postmaster.pid. */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    private static final Duration ORDERLY_STOP = Duration.ofSeconds(20);
    private static final Duration FORCED_STOP = Duration.ofSeconds(20);

    private ServerProcess() {}

    /** The process in the folder's postmaster.pid; empty if it does not run. */
    static Optional<ProcessHandle> of(Path dataFolder) throws IOException {
        var pidFile = dataFolder.resolve("postmaster.pid");
        return Files.exists(pidFile) ? process(Files.readAllLines(pidFile)) : Optional.empty();
    }

    /** Stops a server that an earlier run left on the folder, and waits until it and its child processes have ended. */
    static void stopLeftOver(Path dataFolder) throws IOException {
        var pidFile = dataFolder.resolve("postmaster.pid");
        if (Files.notExists(pidFile)) {
            return;
        }
        /*
         * If the server is killed, the file stays, and its process id may later belong to another process. In a
         * container, that may even be a thread of this process. PostgreSQL refuses to start while any process has that
         * id, so the file is deleted if the process is provably another program. Otherwise PostgreSQL decides; it also
         * looks for remaining child processes in the shared memory that the file names.
         */
        var lines = Files.readAllLines(pidFile);
        var process = process(lines);
        if (process.isEmpty()) {
            return;
        }
        if (isAnotherProgram(process.get())) {
            Files.deleteIfExists(pidFile);
        } else if (isServerOf(dataFolder, process.get(), lines)) {
            LOG.info(
                    "Stopping the PostgreSQL that an earlier run left running (process {})",
                    process.get().pid());
            stop(process.get());
        }
    }

    private static Optional<ProcessHandle> process(List<String> lines) {
        return lines.isEmpty()
                ? Optional.empty()
                : ProcessHandle.of(Long.parseLong(lines.getFirst().strip()));
    }

    private static boolean isAnotherProgram(ProcessHandle process) {
        return process.info().command().filter(command -> !isPostgres(command)).isPresent();
    }

    private static boolean isServerOf(Path dataFolder, ProcessHandle process, List<String> lines) {
        var info = process.info();
        if (info.command().filter(ServerProcess::isPostgres).isEmpty()) {
            return false;
        }
        return info.arguments()
                .map(arguments -> List.of(arguments).contains(dataFolder.toString()))
                .orElseGet(() -> info.startInstant()
                        .map(start -> startedAt(start, lines))
                        .orElse(false));
    }

    private static boolean isPostgres(String command) {
        var program = String.valueOf(Path.of(command).getFileName());
        return program.equals("postgres") || program.equals("postgres.exe");
    }

    private static boolean startedAt(Instant start, List<String> lines) {
        var recorded = Instant.ofEpochSecond(Long.parseLong(lines.get(2).strip()));
        return Duration.between(start, recorded).abs().compareTo(Duration.ofSeconds(10)) < 0;
    }

    private static void stop(ProcessHandle server) {
        var family = Stream.concat(Stream.of(server), server.descendants()).toList();
        server.destroy();
        if (!endedWithin(ORDERLY_STOP, family)) {
            family.forEach(ProcessHandle::destroyForcibly);
            if (!endedWithin(FORCED_STOP, family)) {
                throw new EmbeddedPostgresFailure(
                        "The PostgreSQL that an earlier run left running (process %s) does not stop."
                                .formatted(server.pid()),
                        "Stop it by hand, then start again.");
            }
        }
    }

    static boolean endedWithin(Duration bound, List<ProcessHandle> processes) {
        try {
            CompletableFuture.allOf(
                            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillRunning) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

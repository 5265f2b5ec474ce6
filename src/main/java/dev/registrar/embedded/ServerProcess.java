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

/** The operating system's process of the PostgreSQL server on a data folder, as its postmaster.pid names it. */
final class ServerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);

    private static final Duration ORDERLY_STOP = Duration.ofSeconds(20);
    private static final Duration FORCED_STOP = Duration.ofSeconds(20);

    private ServerProcess() {}

    /** The process that the folder's postmaster.pid names, while it lives. */
    static Optional<ProcessHandle> of(Path dataFolder) throws IOException {
        var pidFile = dataFolder.resolve("postmaster.pid");
        return Files.exists(pidFile) ? process(Files.readAllLines(pidFile)) : Optional.empty();
    }

    /** Stops the server that a dead service left on the folder and waits until it and its children are gone. */
    static void stopLeftOver(Path dataFolder) throws IOException {
        var pidFile = dataFolder.resolve("postmaster.pid");
        if (Files.notExists(pidFile)) {
            return;
        }
        /*
         * The file outlives its server when that is killed, and its number may by then belong to another process (in
         * a container even to one of our own threads). PostgreSQL would refuse to start beside any living process of
         * that number, so the file goes when the process is provably another program. In every other case PostgreSQL
         * judges it, which also looks for left-over children in the shared memory that the file names.
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
                    "Stopping the PostgreSQL that an earlier run left behind (process {})",
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
        if (!goneWithin(ORDERLY_STOP, family)) {
            family.forEach(ProcessHandle::destroyForcibly);
            if (!goneWithin(FORCED_STOP, family)) {
                throw new EmbeddedPostgresFailure(
                        "The PostgreSQL that an earlier run left behind (process %d) does not stop."
                                .formatted(server.pid()),
                        "Stop it by hand, then start again.");
            }
        }
    }

    static boolean goneWithin(Duration bound, List<ProcessHandle> processes) {
        try {
            CompletableFuture.allOf(
                            processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture[]::new))
                    .get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException stillThere) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}

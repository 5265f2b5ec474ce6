package dev.registrar.imports;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.Deadline;
import dev.registrar.concurrent.TooManyTasksException;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.imports.CourseFile.CourseLine;
import dev.registrar.imports.CourseFile.NamedLine;
import dev.registrar.imports.CourseImport.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Imports files of courses, one file after another. A file is parsed on the executor of CPU-bound work, and its ids are
 * looked up in the store, before the first course is defined: a file with an error changes nothing. Then each course is
 * a decision like any other, under an idempotency key for its line, so that a stopped import can be sent again.
 */
public final class CourseImports implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CourseImports.class);
    private static final BackOff PAUSES = BackOff.doubling(Duration.ofMillis(100), Duration.ofSeconds(5));
    private static final Duration LONGEST_CLOSING = Duration.ofSeconds(10);

    private final DecisionLoop<EnrollmentEvent> loop;
    private final EventStore store;
    private final ImportSettings settings;
    private final CourseFileReader reader;
    private final CpuExecutor executor;
    private final ExecutorService runners = Executors.newVirtualThreadPerTaskExecutor();
    private final Semaphore permits;
    private final Semaphore turn = new Semaphore(1, true);
    private final CountDownLatch closing = new CountDownLatch(1);

    /** In the order of their start; guarded by this. */
    private final Map<UUID, CourseImport> imports = new LinkedHashMap<>();

    CourseImports(DecisionLoop<EnrollmentEvent> loop, EventStore store, ImportSettings settings, CpuExecutor executor) {
        this.loop = loop;
        this.store = store;
        this.settings = settings;
        this.reader = new CourseFileReader(settings);
        this.executor = executor;
        this.permits = new Semaphore(1 + settings.maxWaiting());
    }

    /**
     * Accepts a file; the import starts when earlier imports have ended. If the same file is sent again, a stopped
     * import continues and a refused file is checked again; otherwise the earlier import is returned.
     *
     * @param key under which the same file may be sent again; if null, a key is made from the file itself
     * @throws IdempotencyKeyReusedException if another file was sent under the key and was not refused
     * @throws OverloadedException if too many imports wait, or this object is closed
     */
    public CourseImport begin(byte[] file, FileFormat format, Origin origin, @Nullable IdempotencyKey key) {
        IdempotencyKey own = key == null ? ofFile(file, format) : key;
        return beginOrFind(file, format, origin, own);
    }

    /* A client's key contains no space, so the two kinds of keys never clash. */
    private static IdempotencyKey ofFile(byte[] file, FileFormat format) {
        String fingerprint = IdempotencyKey.of("file", format.name().getBytes(StandardCharsets.UTF_8), file)
                .fingerprint();
        return new IdempotencyKey("file " + fingerprint, fingerprint);
    }

    private synchronized CourseImport beginOrFind(byte[] file, FileFormat format, Origin origin, IdempotencyKey key) {
        Optional<CourseImport> earlier = sentUnder(key).stream()
                .filter(known -> known.state() != State.STOPPED)
                .findFirst();
        if (earlier.isPresent()) {
            return earlier.get();
        }
        if (closing.getCount() == 0) {
            throw new OverloadedException("The service is stopping");
        }
        if (!permits.tryAcquire()) {
            throw new OverloadedException("Too many imports wait (limit %s)".formatted(settings.maxWaiting()));
        }
        removeOldest();
        CourseImport begun = new CourseImport(TimeOrderedId.next(), key, settings.maxErrors());
        imports.put(begun.id(), begun);
        runners.execute(() -> run(begun, file, format, origin));
        return begun;
    }

    /* A refused import does not use up its key. */
    private List<CourseImport> sentUnder(IdempotencyKey key) {
        List<CourseImport> sent = imports.values().stream()
                .filter(known -> known.key().value().equals(key.value()) && known.state() != State.REFUSED)
                .toList();
        if (!sent.stream().allMatch(known -> known.key().equals(key))) {
            throw new IdempotencyKeyReusedException(key);
        }
        return sent;
    }

    /* Imports that have not ended are kept; the permits bound their number. */
    private void removeOldest() {
        List<UUID> ended = imports.values().stream()
                .filter(known -> known.state().isEnd())
                .map(CourseImport::id)
                .toList();
        ended.subList(0, Math.max(0, ended.size() - settings.kept())).forEach(imports::remove);
    }

    /** An import of this process whose report has not been removed. */
    public synchronized Optional<CourseImport> find(UUID id) {
        return Optional.ofNullable(imports.get(id));
    }

    private void run(CourseImport begun, byte[] file, FileFormat format, Origin origin) {
        try {
            begun.ends(inTurn(begun, file, format, origin));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            begun.stops("The service was stopped");
        } catch (EventStoreException failure) {
            LOG.warn("Import stopped: {}", failure.toString());
            begun.stops("The database failed or was overloaded");
        } catch (RuntimeException | Error bug) {
            LOG.error("Unexpected error in an import", bug);
            begun.stops("Unexpected error; the log has the reason");
        }
    }

    /* The permit is released before the import reports its end. */
    private State inTurn(CourseImport begun, byte[] file, FileFormat format, Origin origin)
            throws InterruptedException {
        try {
            turn.acquire();
            try {
                endIfClosing();
                return carryOut(begun, file, format, origin);
            } finally {
                turn.release();
            }
        } finally {
            permits.release();
        }
    }

    private State carryOut(CourseImport begun, byte[] bytes, FileFormat format, Origin origin)
            throws InterruptedException {
        begun.checks();
        CourseFile file = retry(() -> parse(bytes, format));
        begun.read(file);
        compareWithStore(begun, file);
        if (begun.hasErrors()) {
            begun.quoteWrongLines(bytes);
            return State.REFUSED;
        }
        begun.defines();
        for (List<CourseLine> round : DefinitionOrder.rounds(file.courses())) {
            forEach(round, line -> define(begun, line, origin));
        }
        return State.FINISHED;
    }

    private CourseFile parse(byte[] bytes, FileFormat format) throws InterruptedException {
        try {
            return executor.run(() -> reader.read(bytes, format));
        } catch (TooManyTasksException full) {
            throw new OverloadedException(String.valueOf(full.getMessage()));
        }
    }

    /* Runs a bounded number of virtual threads; the first failure ends all of them. */
    private <L> void forEach(List<L> lines, Consumer<L> work) throws InterruptedException {
        Queue<L> left = new ConcurrentLinkedQueue<>(lines);
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < settings.concurrency(); i++) {
                all.add(workers.submit(() -> drain(left, work)));
            }
            for (Future<?> worker : all) {
                worker.get();
            }
        } catch (ExecutionException failure) {
            switch (failure.getCause()) {
                case RuntimeException reason -> throw reason;
                case InterruptedException stopped -> throw stopped;
                case null, default -> throw new IllegalStateException(failure);
            }
        }
    }

    private <L> @Nullable Void drain(Queue<L> left, Consumer<L> work) throws InterruptedException {
        try {
            for (L next = left.poll(); next != null; next = left.poll()) {
                L line = next;
                retry(() -> {
                    work.accept(line);
                    return line;
                });
            }
            return null;
        } finally {
            left.clear();
        }
    }

    /* The store has already retried transient failures, but an import has more time than a request. */
    private <T> T retry(Deadline.Work<T, InterruptedException> work) throws InterruptedException {
        long begun = System.nanoTime();
        endIfClosing();
        for (int failures = 1; ; failures++) {
            Duration pause = PAUSES.after(failures);
            try {
                return work.run();
            } catch (EventStoreException failure) {
                Duration spent = Duration.ofNanos(System.nanoTime() - begun);
                if (!isTransient(failure) || spent.plus(pause).compareTo(settings.patience()) > 0) {
                    throw failure;
                }
            }
            pause(pause);
        }
    }

    /* Fails at once when the service stops. */
    private void pause(Duration pause) throws InterruptedException {
        if (closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new InterruptedException("The service is stopping");
        }
    }

    private void endIfClosing() throws InterruptedException {
        pause(Duration.ZERO);
    }

    private static boolean isTransient(EventStoreException failure) {
        return switch (failure) {
            case OverloadedException overloaded -> true;
            case StoreTimeoutException late -> true;
            case StoreUnavailableException unavailable -> true;
            // Safe to repeat: each line has an idempotency key.
            case OutcomeUnknownException unknown -> true;
            case RefusedInputException refused -> false;
            case IdempotencyKeyReusedException reused -> false;
            case StoreReplacedException replaced -> false;
        };
    }

    /*
     * If no course of the file is defined yet, two errors refuse the whole file: an id that is taken, and a
     * prerequisite that is neither in the file nor in the store. They are looked up also if the file has other errors,
     * so that a person can correct all of them at once; prerequisites only if each line has been read as far as its id,
     * because a line that has not may define them. If an earlier attempt has defined some of its courses, the
     * import continues, and either error concerns only its line.
     */
    private void compareWithStore(CourseImport begun, CourseFile file) throws InterruptedException {
        Queue<LineError> found = new ConcurrentLinkedQueue<>();
        Map<CourseId, Boolean> defined = new ConcurrentHashMap<>();
        file.named().forEach(line -> defined.put(line.course(), true));
        Map<Long, CourseLine> valid =
                file.courses().stream().collect(Collectors.toMap(CourseLine::number, Function.identity()));
        AtomicBoolean continues = new AtomicBoolean();
        forEach(file.named(), line -> {
            // Added at the end, because a line is checked again if the store fails.
            List<LineError> errors = new ArrayList<>();
            if (exists(line.course())) {
                CourseLine sent = valid.get(line.number());
                if (sent != null && store.appendedUnder(begun.keyOf(sent)).isPresent()) {
                    continues.set(true);
                } else {
                    errors.add(taken(line.number(), line.course()));
                }
            }
            for (CourseId prerequisite : line.prerequisites().courses()) {
                if (file.allRead() && !defined.computeIfAbsent(prerequisite, this::isDefined)) {
                    errors.add(undefined(line, prerequisite));
                }
            }
            found.addAll(errors);
        });
        if (!continues.get()) {
            found.forEach(begun::error);
        }
    }

    private boolean isDefined(CourseId course) {
        return store.exists(Query.of(EnrollmentEventCodec.types(CourseDefined.class)
                .tagged(course.tag().value())));
    }

    private boolean exists(CourseId course) {
        return store.exists(Query.of(QueryItem.any().tagged(course.tag().value())));
    }

    private void define(CourseImport begun, CourseLine line, Origin origin) {
        switch (loop.execute(line.command(), origin, begun.keyOf(line))) {
            case Outcome.Accepted<EnrollmentEvent, DefineCourse.Refused> accepted ->
                begun.defined(accepted.position(), accepted.repeated());
            case Outcome.Rejected<EnrollmentEvent, DefineCourse.Refused> rejected ->
                begun.error(
                        rejected.reason() == DefineCourse.Refused.COURSE_ID_TAKEN
                                ? taken(line.number(), line.command().course())
                                : error(
                                        line.number(),
                                        "prerequisites",
                                        rejected.reason(),
                                        line.command().prerequisites()));
            case Outcome.Contended<EnrollmentEvent, DefineCourse.Refused> contended ->
                throw new OverloadedException(
                        "Each attempt conflicted with other requests (attempts: %s)".formatted(contended.attempts()));
        }
    }

    private static LineError taken(long line, CourseId course) {
        return error(line, "id", DefineCourse.Refused.COURSE_ID_TAKEN, course);
    }

    private static LineError undefined(NamedLine line, CourseId prerequisite) {
        return error(line.number(), "prerequisites", DefineCourse.Refused.PREREQUISITE_UNDEFINED, prerequisite);
    }

    private static LineError error(long line, String field, DefineCourse.Refused reason, Object value) {
        return new LineError(line, field, "%s: '%s'".formatted(reason.code(), value));
    }

    /**
     * Stops the running import before its next course, and waits at most 10 s for that. The import can be sent again.
     */
    @Override
    public void close() {
        synchronized (this) {
            closing.countDown();
            runners.shutdownNow();
        }
        try {
            if (!runners.awaitTermination(LONGEST_CLOSING.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn("An import has not stopped within {} s", LONGEST_CLOSING.toSeconds());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

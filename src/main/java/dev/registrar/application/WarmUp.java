package dev.registrar.application;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.RegisterStudent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.http.address.HttpRehearsal;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Warms the service up before it reports that it is ready: opens all of the store's connections, prepares the
 * statements on each, and decides, appends, reads and answers until the JIT compiler has done most of its work. The
 * store does not change.
 */
@Component
@Order(Ordered.LOWEST_PRECEDENCE)
final class WarmUp implements ApplicationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

    private static final long CACHED_STATES = 100;
    private static final Duration SLICE = Duration.ofMillis(500);
    /** The share of a slice's time below which the compiler counts as idle. */
    private static final double IDLE = 0.15;

    private final WarmUpSettings settings;
    private final PostgresEventStore store;
    private final StoreOptions options;
    private final HttpRehearsal requests;
    private final EnrollmentSettings rules;
    private final EnrollmentEventCodec codec;
    private final InstantSource clock;

    WarmUp(
            WarmUpSettings settings,
            PostgresEventStore store,
            StoreOptions options,
            HttpRehearsal requests,
            EnrollmentSettings rules,
            EnrollmentEventCodec codec,
            InstantSource clock) {
        this.settings = settings;
        this.store = store;
        this.options = options;
        this.requests = requests;
        this.rules = rules;
        this.codec = codec;
        this.clock = clock;
    }

    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        if (!settings.enabled()) {
            return;
        }
        long started = System.nanoTime();
        try {
            long end = started + settings.atMost().toNanos();
            // First in memory: class loading and slow code do not occupy a connection there.
            semester(new InMemoryEventStore());
            rehearseOnEachConnection(end);
            rehearseUntilCompiled(end);
            LOG.info("Warmed up in {} ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
        } catch (EventStoreException failure) {
            LOG.warn("Warm-up failed, the first requests will be slow: {}", failure.toString());
        }
    }

    /* Takes all connections before the first append: the pool would give the same one again, which it has used last. */
    private void rehearseOnEachConnection(long end) {
        List<PostgresEventStore> rehearsals = new ArrayList<>();
        try {
            while (rehearsals.size() < options.connections() && System.nanoTime() < end) {
                rehearsals.add(store.rehearsal());
            }
            for (PostgresEventStore rehearsal : rehearsals) {
                if (System.nanoTime() < end) {
                    try (rehearsal) {
                        rehearsal.prepareReads();
                        semester(rehearsal);
                    }
                }
            }
        } finally {
            rehearsals.forEach(PostgresEventStore::close);
        }
    }

    private void rehearse() {
        try (PostgresEventStore rehearsal = store.rehearsal()) {
            semester(rehearsal);
        }
    }

    private void rehearseUntilCompiled(long end) throws InterruptedException {
        @Nullable CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        try (HttpClient client = requests.client()) {
            boolean reachable = true;
            boolean idle = false;
            while (!idle && System.nanoTime() < end) {
                long compiledBefore = compiledMillis(compiler);
                long endOfSlice = Math.min(end, System.nanoTime() + SLICE.toNanos());
                while (System.nanoTime() < endOfSlice) {
                    rehearse();
                    reachable = reachable && requests.once(client);
                }
                idle = compiledMillis(compiler) - compiledBefore < IDLE * SLICE.toMillis();
            }
        }
    }

    private static long compiledMillis(@Nullable CompilationMXBean compiler) {
        return compiler != null && compiler.isCompilationTimeMonitoringSupported()
                ? compiler.getTotalCompilationTime()
                : 0;
    }

    /* Random ids, so that nothing depends on the contents of the store. */
    private void semester(EventStore rehearsal) {
        DecisionLoop<EnrollmentEvent> loop =
                new DecisionLoop<>(rehearsal, codec, RetryBounds.DEFAULT, CACHED_STATES, clock);
        Origin origin = Origin.correlatedBy("warm-up").by(Actor.ofApplication("warm-up"));
        String name = UUID.randomUUID().toString();
        CourseId course = new CourseId(name);
        expectAccepted(loop.execute(
                new DefineCourse(course, new CourseTitle(name), new Capacity(1), EnrollmentWindow.ALWAYS), origin));
        StudentId student = new StudentId(name);
        EmailAddress address = new EmailAddress(name + "@example.org");
        expectAccepted(loop.execute(new RegisterStudent(student, new StudentName(name), address), origin));
        IdempotencyKey key = new IdempotencyKey(name, name);
        expectAccepted(loop.execute(new EnrollStudent(student, course, rules.coursesPerStudent()), origin, key));
        expectAccepted(loop.execute(new DropStudent(student, course), origin));
    }

    private static void expectAccepted(Outcome<?, ?> outcome) {
        if (!(outcome instanceof Outcome.Accepted<?, ?>)) {
            throw new IllegalStateException("A rehearsal must be accepted but was " + outcome);
        }
    }
}

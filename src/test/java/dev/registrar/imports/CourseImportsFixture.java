package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImport.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.springframework.util.unit.DataSize;

/** Imports into a store that a test can make fail. */
abstract class CourseImportsFixture {
    static final Instant NOON = Instant.parse("2026-09-01T12:00:00Z");
    static final Duration SHORT_RETRY = Duration.ofMillis(1);
    static final IdempotencyKey KEY = new IdempotencyKey("key", "file");
    final InMemoryEventStore store = new InMemoryEventStore();
    final TroubledStore troubled = new TroubledStore(store);
    final CountDownLatch release = new CountDownLatch(1);
    final List<CourseImports> opened = new ArrayList<>();
    final CpuExecutor executor = CpuExecutor.open(new CpuOptions(1, 1, Duration.ofSeconds(10)));

    @AfterEach
    void close() {
        release.countDown();
        opened.forEach(CourseImports::close);
        executor.close();
    }

    void untilReleased() {
        await().until(() -> release.getCount() == 0);
    }

    static void unavailableIf(boolean failing) {
        if (failing) {
            throw new StoreUnavailableException("gone");
        }
    }

    /* Under one key, so that repeated attempts do not each create an import. */
    static boolean refusesToBegin(CourseImports imports) {
        try {
            return begin(imports, new IdempotencyKey("probe", "file"), "probe").state() == State.STOPPED;
        } catch (OverloadedException refused) {
            return true;
        }
    }

    CourseImports imports(Settings settings) {
        CourseImports imports = new CourseImports(loop(troubled), troubled, settings.values(), executor);
        opened.add(imports);
        return imports;
    }

    static Settings settings() {
        return new Settings();
    }

    /** One course at a time by default, so that courses are defined in the order of their lines. */
    static final class Settings {
        int maxWaiting = 4;
        int concurrency = 1;
        Duration patience = Duration.ofMinutes(1);
        int maxErrors = 100;
        int kept = 100;

        Settings maxWaiting(int number) {
            maxWaiting = number;
            return this;
        }

        Settings concurrency(int number) {
            concurrency = number;
            return this;
        }

        Settings patience(Duration duration) {
            patience = duration;
            return this;
        }

        Settings maxErrors(int number) {
            maxErrors = number;
            return this;
        }

        Settings kept(int number) {
            kept = number;
            return this;
        }

        ImportSettings values() {
            return new ImportSettings(
                    1_000, DataSize.ofMegabytes(4), maxWaiting, concurrency, patience, maxErrors, kept);
        }
    }

    static DecisionLoop<EnrollmentEvent> loop(EventStore on) {
        return new DecisionLoop<>(on, new EnrollmentEventCodec(), RetryBounds.DEFAULT, 1_000, () -> NOON);
    }

    void define(String id) {
        DefineCourse command = new DefineCourse(
                new CourseId(id), new CourseTitle("Another client's"), new Capacity(1), EnrollmentWindow.ALWAYS);
        assertThat(loop(store).execute(command, Origin.UNKNOWN)).isInstanceOf(Accepted.class);
    }

    static CourseImport begin(CourseImports imports, String... ids) {
        return begin(imports, null, ids);
    }

    static CourseImport begin(CourseImports imports, @Nullable IdempotencyKey key, String... ids) {
        String file = Arrays.stream(ids).map("%s,Mathematics,30\n"::formatted).collect(Collectors.joining());
        return imports.begin(
                ("id,title,capacity\n" + file).getBytes(StandardCharsets.UTF_8), FileFormat.CSV, Origin.UNKNOWN, key);
    }

    static CourseImport beginRequiring(CourseImports imports, String... idAndPrerequisite) {
        String file = Arrays.stream(idAndPrerequisite)
                .map(each -> "%s,T,30,%s\n".formatted((Object[]) each.split(":")))
                .collect(Collectors.joining());
        return imports.begin(
                ("id,title,capacity,prerequisites\n" + file).getBytes(StandardCharsets.UTF_8),
                FileFormat.CSV,
                Origin.UNKNOWN,
                null);
    }

    static Progress ended(CourseImport begun) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> begun.state().isEnd());
        return begun.progress();
    }

    /* No other course has been defined. */
    Progress finished(Progress progress, int courses, int repeated) {
        return new Progress(
                progress.id(),
                State.FINISHED,
                courses,
                courses,
                repeated,
                store.head().position().value(),
                0,
                List.of(),
                null,
                null);
    }

    /* In the order of definition. */
    List<String> courses() {
        return store.read(Query.all()).stream()
                .flatMap(event -> event.event().tags().stream())
                .map(tag -> tag.value().substring("course:".length()))
                .toList();
    }
}

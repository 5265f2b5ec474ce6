package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImport.State;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** What becomes of an import: all courses or none, each once, whatever the store does meanwhile. */
class CourseImportsTest {
    private static final Instant NOON = Instant.parse("2026-09-01T12:00:00Z");
    private static final Duration IMPATIENT = Duration.ofMillis(1);
    private static final IdempotencyKey KEY = new IdempotencyKey("key", "file");

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final TroubledStore troubled = new TroubledStore(store);
    private final CountDownLatch release = new CountDownLatch(1);
    private final List<CourseImports> opened = new ArrayList<>();

    @AfterEach
    void close() {
        release.countDown();
        opened.forEach(CourseImports::close);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void a_valid_file_defines_each_of_its_courses_once(int concurrency) {
        CourseImports imports = imports(settings().concurrency(concurrency));
        String[] ids = IntStream.range(0, 50).mapToObj(i -> "course-" + i).toArray(String[]::new);

        Progress progress = ended(begin(imports, ids));

        assertThat(progress).isEqualTo(finished(progress, 50, 0));
        assertThat(courses()).containsExactlyInAnyOrder(ids);
    }

    @Test
    void an_invalid_line_leaves_nothing_in_the_store() {
        CourseImports imports = imports(settings());

        Progress progress = ended(begin(imports, "maths", "mu sic", "latin", "la tin"));

        assertThat(progress.state()).isEqualTo(State.REFUSED);
        assertThat(progress.courses()).isEqualTo(4);
        assertThat(progress.errors()).extracting(LineError::line).containsExactly(3L, 5L);
        assertThat(progress.errorCount()).isEqualTo(2);
        assertThat(progress.defined()).isZero();
        assertThat(courses()).isEmpty();
    }

    @Test
    void taken_ids_are_found_before_any_course_is_defined() {
        CourseImports imports = imports(settings().concurrency(8));
        define("latin");
        define("music");

        Progress progress = ended(begin(imports, "maths", "music", "greek", "latin"));

        assertThat(progress.state()).isEqualTo(State.REFUSED);
        assertThat(progress.errors())
                .containsExactly(
                        new LineError(3, "id", "course-id-taken: 'music'"),
                        new LineError(5, "id", "course-id-taken: 'latin'"));
        assertThat(courses()).containsExactly("latin", "music");
    }

    @Test
    void errors_beyond_the_reported_ones_are_counted() {
        CourseImports imports = imports(settings().maxErrors(2));
        String[] ids = {"maths", "music", "latin"};
        Arrays.stream(ids).forEach(this::define);

        Progress progress = ended(begin(imports, ids));

        assertThat(progress.errors()).hasSize(2);
        assertThat(progress.errorCount()).isEqualTo(3);
    }

    /* All ids are free when the file is checked; another request takes an id just before the first course is defined. */
    @Test
    void an_id_taken_during_the_import_is_an_error_of_its_line_only() {
        troubled.beforeAppend(number -> {
            if (number == 1) {
                define("music");
            }
        });

        Progress progress = ended(begin(imports(settings()), "maths", "music", "latin"));

        assertThat(progress.state()).isEqualTo(State.FINISHED);
        assertThat(progress.errors()).containsExactly(new LineError(3, "id", "course-id-taken: 'music'"));
        assertThat(progress.errorCount()).isOne();
        assertThat(progress.courses()).isEqualTo(3);
        assertThat(progress.defined()).isEqualTo(2);
        assertThat(courses()).containsExactly("music", "maths", "latin");
    }

    @Test
    void a_store_that_fails_for_a_while_is_waited_for() {
        troubled.beforeQuestion(number -> unavailableIf(number == 2));
        troubled.beforeAppend(number -> unavailableIf(number == 2 || number == 3));

        Progress progress = ended(begin(imports(settings()), "maths", "music", "latin"));

        assertThat(progress).isEqualTo(finished(progress, 3, 0));
        assertThat(courses()).containsExactly("maths", "music", "latin");
    }

    @Test
    void a_course_whose_append_was_lost_is_not_defined_twice() {
        troubled.afterAppend(number -> {
            if (number == 2) {
                throw new OutcomeUnknownException("lost");
            }
        });

        Progress progress = ended(begin(imports(settings()), "maths", "music", "latin"));

        assertThat(progress).isEqualTo(finished(progress, 3, 1));
        assertThat(courses()).containsExactly("maths", "music", "latin");
    }

    @Test
    void an_import_stopped_by_a_failure_continues_when_sent_again() {
        CourseImports imports = imports(settings().patience(IMPATIENT));
        troubled.beforeAppend(number -> unavailableIf(number > 2));
        CourseImport first = begin(imports, KEY, "maths", "music", "latin", "greek");

        Progress stopped = ended(first);
        troubled.beforeAppend(number -> {});
        CourseImport second = begin(imports, KEY, "maths", "music", "latin", "greek");

        assertThat(stopped.state()).isEqualTo(State.STOPPED);
        assertThat(stopped.defined()).isEqualTo(2);
        assertThat(stopped.stoppedBy()).isEqualTo("The database failed or was overloaded");
        assertThat(second.id()).isNotEqualTo(first.id());
        assertThat(ended(second)).isEqualTo(finished(second.progress(), 4, 2));
        assertThat(courses()).containsExactly("maths", "music", "latin", "greek");
        assertThat(first.progress()).isEqualTo(stopped);
    }

    @Test
    void another_process_continues_a_stopped_import() {
        troubled.beforeAppend(number -> unavailableIf(number > 2));
        ended(begin(imports(settings().patience(IMPATIENT)), KEY, "maths", "music", "latin"));
        troubled.beforeAppend(number -> {});

        Progress progress = ended(begin(imports(settings()), KEY, "maths", "music", "latin"));

        assertThat(progress).isEqualTo(finished(progress, 3, 2));
        assertThat(courses()).containsExactly("maths", "music", "latin");
    }

    /* The import stops after two of four courses; before it continues, another request takes the id of the third. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void an_id_taken_before_the_continuation_is_an_error_of_its_line_only(int concurrency) {
        troubled.beforeAppend(number -> unavailableIf(number > 2));
        ended(begin(imports(settings().patience(IMPATIENT)), KEY, "maths", "music", "latin", "greek"));
        troubled.beforeAppend(number -> {});
        define("latin");

        Progress progress =
                ended(begin(imports(settings().concurrency(concurrency)), KEY, "maths", "music", "latin", "greek"));

        assertThat(progress)
                .isEqualTo(new Progress(
                        progress.id(),
                        State.FINISHED,
                        4,
                        3,
                        2,
                        4L,
                        1,
                        List.of(new LineError(4, "id", "course-id-taken: 'latin'")),
                        null));
        assertThat(courses()).containsExactly("maths", "music", "latin", "greek");
    }

    @Test
    void the_same_file_goes_on_without_a_key_as_well() {
        troubled.beforeAppend(number -> unavailableIf(number > 2));
        Progress stopped = ended(begin(imports(settings().patience(IMPATIENT)), "maths", "music", "latin"));
        troubled.beforeAppend(number -> {});

        CourseImports imports = imports(settings());
        CourseImport goingOn = begin(imports, "maths", "music", "latin");

        assertThat(stopped.state()).isEqualTo(State.STOPPED);
        assertThat(ended(goingOn)).isEqualTo(finished(goingOn.progress(), 3, 2));
        assertThat(courses()).containsExactly("maths", "music", "latin");
        assertThat(begin(imports, "maths", "music", "latin")).isSameAs(goingOn);
    }

    @Test
    void without_a_key_the_ids_of_another_file_are_taken() {
        CourseImports imports = imports(settings());
        ended(begin(imports, "maths"));

        Progress progress = ended(begin(imports, "maths", "music"));

        assertThat(progress.state()).isEqualTo(State.REFUSED);
        assertThat(courses()).containsExactly("maths");
    }

    @Test
    void an_append_that_the_store_refuses_is_not_retried() {
        AtomicInteger appends = new AtomicInteger();
        troubled.beforeAppend(number -> {
            appends.set(number);
            throw new RefusedInputException("no");
        });

        Progress progress = ended(begin(imports(settings()), "maths"));

        assertThat(progress.state()).isEqualTo(State.STOPPED);
        assertThat(appends).hasValue(1);
    }

    @Test
    void a_bug_stops_its_import_but_not_later_ones() {
        CourseImports imports = imports(settings());
        troubled.beforeAppend(number -> {
            throw new IllegalStateException("a mistake");
        });
        Progress mistaken = ended(begin(imports, "maths"));
        troubled.beforeAppend(number -> {});

        Progress next = ended(begin(imports, "music"));

        assertThat(mistaken.state()).isEqualTo(State.STOPPED);
        assertThat(mistaken.stoppedBy()).isEqualTo("Unexpected error; the log has the reason");
        assertThat(next).isEqualTo(finished(next, 1, 0));
        assertThat(courses()).containsExactly("music");
    }

    @Test
    void a_key_that_is_sent_again_names_the_same_import() {
        CourseImports imports = imports(settings());
        troubled.beforeAppend(number -> untilReleased());
        CourseImport first = begin(imports, KEY, "maths");

        CourseImport whileItRuns = begin(imports, KEY, "maths");
        CourseImport other = begin(imports, new IdempotencyKey("other", "file"), "music");
        CourseImport withoutKey = begin(imports, "latin");
        release.countDown();
        ended(first);
        CourseImport afterwards = begin(imports, KEY, "maths");

        assertThat(whileItRuns).isSameAs(first);
        assertThat(afterwards).isSameAs(first);
        assertThat(other).isNotSameAs(first);
        assertThat(withoutKey).isNotSameAs(first);
        ended(other);
        ended(withoutKey);
        assertThat(courses()).containsExactlyInAnyOrder("maths", "music", "latin");
    }

    @Test
    void a_key_is_refused_with_another_file_while_its_import_is_kept() {
        CourseImports imports = imports(settings().patience(IMPATIENT));
        IdempotencyKey reused = new IdempotencyKey(KEY.value(), "another file");
        troubled.beforeAppend(number -> {
            untilReleased();
            unavailableIf(number == 1);
        });
        CourseImport begun = begin(imports, KEY, "maths");

        assertThatThrownBy(() -> begin(imports, reused, "music")).isInstanceOf(IdempotencyKeyReusedException.class);
        release.countDown();
        assertThat(ended(begun).state()).isEqualTo(State.STOPPED);
        assertThatThrownBy(() -> begin(imports, reused, "music")).isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(ended(begin(imports, KEY, "maths")).state()).isEqualTo(State.FINISHED);
        assertThatThrownBy(() -> begin(imports, reused, "music")).isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(courses()).containsExactly("maths");
    }

    @Test
    void a_refused_file_may_be_corrected_under_the_same_key() {
        CourseImports imports = imports(settings());
        define("music");
        CourseImport refused = begin(imports, KEY, "maths", "music");
        assertThat(ended(refused).state()).isEqualTo(State.REFUSED);

        CourseImport again = begin(imports, KEY, "maths", "music");
        Progress anew = ended(again);
        Progress mended = ended(begin(imports, new IdempotencyKey(KEY.value(), "mended"), "maths"));

        assertThat(again).isNotSameAs(refused);
        assertThat(anew.state()).isEqualTo(State.REFUSED);
        assertThat(mended).isEqualTo(finished(mended, 1, 0));
        assertThat(courses()).containsExactly("music", "maths");
    }

    @Test
    void imports_run_one_after_another_and_excess_ones_are_rejected() {
        CourseImports imports = imports(settings().maxWaiting(1));
        troubled.beforeAppend(number -> untilReleased());
        CourseImport running = begin(imports, "maths");
        await().until(() -> running.state() == State.DEFINING);
        CourseImport waiting = begin(imports, "music");

        assertThatThrownBy(() -> begin(imports, "latin")).isInstanceOf(OverloadedException.class);
        assertThat(waiting.state()).isEqualTo(State.WAITING);
        release.countDown();
        ended(running);
        CourseImport next = begin(imports, "latin");

        assertThat(ended(waiting).state()).isEqualTo(State.FINISHED);
        assertThat(ended(next).state()).isEqualTo(State.FINISHED);
        assertThat(courses()).containsExactlyInAnyOrder("maths", "music", "latin");
    }

    @Test
    void without_waiting_an_import_may_begin_after_the_last_one_ended() {
        CourseImports imports = imports(settings().maxWaiting(0));

        for (int i = 0; i < 100; i++) {
            assertThat(ended(begin(imports, "course-" + i)).state()).isEqualTo(State.FINISHED);
        }
    }

    @Test
    void the_oldest_ended_imports_are_removed_first() {
        CourseImports imports = imports(settings().kept(1).maxWaiting(10));
        CourseImport first = begin(imports, "maths");
        ended(first);
        CourseImport second = begin(imports, "music");
        ended(second);
        troubled.beforeAppend(number -> untilReleased());

        List<CourseImport> underWay = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            underWay.add(begin(imports, "course-" + i));
        }

        assertThat(imports.find(first.id())).isEmpty();
        assertThat(imports.find(second.id())).containsSame(second);
        assertThat(underWay)
                .allSatisfy(known -> assertThat(imports.find(known.id())).containsSame(known));
    }

    /* The store fails, so the running import pauses between two attempts and the other import waits. */
    @Test
    void closing_stops_running_and_waiting_imports_and_accepts_none() {
        CourseImports imports = imports(settings());
        AtomicInteger appends = new AtomicInteger();
        troubled.beforeAppend(number -> {
            appends.set(number);
            unavailableIf(number > 1);
        });
        CourseImport running = begin(imports, KEY, "maths", "music");
        await().until(() -> appends.get() > 1);
        CourseImport waiting = begin(imports, "latin");

        imports.close();

        assertThat(running.progress())
                .isEqualTo(new Progress(
                        running.id(), State.STOPPED, 2, 1, 0, 1L, 0, List.of(), "The service was stopped"));
        assertThat(waiting.progress())
                .isEqualTo(new Progress(
                        waiting.id(), State.STOPPED, 0, 0, 0, null, 0, List.of(), "The service was stopped"));
        assertThatThrownBy(() -> begin(imports, "greek")).isInstanceOf(OverloadedException.class);
        assertThat(courses()).containsExactly("maths");
    }

    @Test
    void an_import_stopped_by_the_service_continues_after_a_restart() {
        CourseImports before = imports(settings());
        troubled.beforeAppend(number -> {
            if (number == 3) {
                Thread.startVirtualThread(before::close);
                await().until(() -> refusesToBegin(before));
            }
        });
        CourseImport stopped = begin(before, KEY, "maths", "music", "latin", "greek");

        assertThat(ended(stopped).state()).isEqualTo(State.STOPPED);
        Progress progress = ended(begin(imports(settings()), KEY, "maths", "music", "latin", "greek"));

        assertThat(stopped.progress().defined()).isEqualTo(3);
        assertThat(progress).isEqualTo(finished(progress, 4, 3));
        assertThat(courses()).containsExactly("maths", "music", "latin", "greek");
    }

    @Test
    void the_progress_never_exceeds_the_courses_of_the_file() {
        List<Progress> seen = new ArrayList<>();
        CompletableFuture<CourseImport> begun = new CompletableFuture<>();
        troubled.beforeAppend(number -> {
            seen.add(begun.join().progress());
            if (number == 2) {
                define("latin");
            }
        });

        begun.complete(begin(imports(settings()), "maths", "music", "latin", "greek"));
        Progress end = ended(begun.join());

        assertThat(seen)
                .extracting(progress -> progress.defined() + progress.errorCount())
                .containsExactly(0, 1, 3);
        assertThat(seen).allSatisfy(progress -> {
            assertThat(progress.state()).isEqualTo(State.DEFINING);
            assertThat(progress.courses()).isEqualTo(4);
        });
        assertThat(end.defined() + end.errorCount()).isEqualTo(4);
    }

    private void untilReleased() {
        await().until(() -> release.getCount() == 0);
    }

    private static void unavailableIf(boolean failing) {
        if (failing) {
            throw new StoreUnavailableException("gone");
        }
    }

    /* Under one key, so that what is asked until then is no import for each time. */
    private static boolean refusesToBegin(CourseImports imports) {
        try {
            return begin(imports, new IdempotencyKey("probe", "file"), "probe").state() == State.STOPPED;
        } catch (OverloadedException refused) {
            return true;
        }
    }

    private CourseImports imports(Settings settings) {
        CourseImports imports = new CourseImports(loop(troubled), troubled, settings.values());
        opened.add(imports);
        return imports;
    }

    private static Settings settings() {
        return new Settings();
    }

    /** One course at a time, so that they come in the order of their lines, unless set otherwise. */
    private static final class Settings {
        private int maxWaiting = 4;
        private int concurrency = 1;
        private Duration patience = Duration.ofMinutes(1);
        private int maxErrors = 100;
        private int kept = 100;

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

    private static DecisionLoop<EnrollmentEvent> loop(EventStore on) {
        return new DecisionLoop<>(on, new EnrollmentEventCodec(), RetryBounds.DEFAULT, 1_000, () -> NOON);
    }

    private void define(String id) {
        DefineCourse command = new DefineCourse(
                new CourseId(id), new CourseTitle("Somebody else's"), new Capacity(1), EnrollmentWindow.ALWAYS);
        assertThat(loop(store).execute(command, Origin.UNKNOWN)).isInstanceOf(Accepted.class);
    }

    private static CourseImport begin(CourseImports imports, String... ids) {
        return begin(imports, null, ids);
    }

    private static CourseImport begin(CourseImports imports, @Nullable IdempotencyKey key, String... ids) {
        String file = Arrays.stream(ids).map("%s,Mathematics,30\n"::formatted).collect(Collectors.joining());
        return imports.begin(
                ("id,title,capacity\n" + file).getBytes(StandardCharsets.UTF_8), FileFormat.CSV, Origin.UNKNOWN, key);
    }

    private static Progress ended(CourseImport begun) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> begun.state().isEnd());
        return begun.progress();
    }

    /* No other course has been defined since. */
    private Progress finished(Progress progress, int courses, int repeated) {
        return new Progress(
                progress.id(),
                State.FINISHED,
                courses,
                courses,
                repeated,
                store.head().position().value(),
                0,
                List.of(),
                null);
    }

    /* In the order in which they were defined. */
    private List<String> courses() {
        return store.read(Query.all()).stream()
                .flatMap(event -> event.event().tags().stream())
                .map(tag -> tag.value().substring("course:".length()))
                .toList();
    }
}

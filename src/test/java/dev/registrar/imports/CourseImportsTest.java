package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.concurrent.TooManyTasksException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImport.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The outcomes of an import: all courses or none, each once, even if the store fails in between. */
class CourseImportsTest extends CourseImportsFixture {
    @Test
    void a_file_waits_while_the_executor_of_cpu_bound_work_is_full() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        Deadline.Work<Boolean, InterruptedException> blocked = () -> {
            running.countDown();
            return release.await(1, TimeUnit.MINUTES);
        };
        assertThat(executor.submit(blocked)).isNotDone();
        running.await();
        assertThat(executor.submit(blocked)).isNotDone();
        CourseImports imports = imports(settings());

        CourseImport begun = begin(imports, KEY, "c1");
        await().until(() -> begun.state() == State.CHECKING);
        assertThatThrownBy(() -> executor.submit(blocked)).isInstanceOf(TooManyTasksException.class);
        release.countDown();

        await().until(() -> begun.state() == State.FINISHED);
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
    void taken_ids_and_undefined_prerequisites_are_listed_beside_other_errors() {
        define("latin");

        CourseImport begun = beginRequiring(imports(settings()), "not an id:logic", "latin:greek", "greek:music");
        Progress progress = ended(begun);

        assertThat(progress.state()).isEqualTo(State.REFUSED);
        assertThat(progress.errors()).extracting(LineError::line).containsExactly(2L, 3L, 4L);
        assertThat(progress.errors())
                .contains(
                        new LineError(3, "id", "course-id-taken: 'latin'"),
                        new LineError(4, "prerequisites", "prerequisite-undefined: 'music'"));
        assertThat(begun.wrongLines())
                .containsExactly(
                        entry(2L, "not an id,T,30,logic"),
                        entry(3L, "latin,T,30,greek"),
                        entry(4L, "greek,T,30,music"));
    }

    /* Line 3 has a field too many, or a quote that does not end. */
    @ParameterizedTest
    @ValueSource(strings = {"logic:,x", "logic:\""})
    void a_prerequisite_that_an_unread_line_may_define_is_no_error(String unread) {
        Progress progress = ended(beginRequiring(imports(settings()), "greek:logic", unread));

        assertThat(progress.state()).isEqualTo(State.REFUSED);
        assertThat(progress.errors()).extracting(LineError::line).containsExactly(3L);
    }

    /* Each course requires the one in the next line. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void courses_are_defined_after_their_prerequisites(int concurrency) {
        CourseImports imports = imports(settings().concurrency(concurrency));
        define("latin");

        Progress progress = ended(beginRequiring(imports, "greek:music", "music:maths", "maths:latin"));

        assertThat(progress).isEqualTo(finished(progress, 3, 0));
        assertThat(courses()).containsExactly("latin", "maths", "music", "greek");
    }

    /* The store fails while the import checks the prerequisite, so the line is checked twice. */
    @Test
    void an_error_of_a_line_that_is_checked_again_is_reported_once() {
        define("greek");
        troubled.beforeQuestion(number -> unavailableIf(number == 2));

        Progress progress = ended(beginRequiring(imports(settings()), "greek:music"));

        assertThat(progress.errors())
                .containsExactly(
                        new LineError(2, "id", "course-id-taken: 'greek'"),
                        new LineError(2, "prerequisites", "prerequisite-undefined: 'music'"));
        assertThat(progress.errorCount()).isEqualTo(2);
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
    void an_import_waits_for_a_store_that_fails_temporarily() {
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
                        running.id(), State.STOPPED, 2, 1, 0, 1L, 0, List.of(), "The service was stopped", null));
        assertThat(waiting.progress())
                .isEqualTo(new Progress(
                        waiting.id(), State.STOPPED, 0, 0, 0, null, 0, List.of(), "The service was stopped", null));
        assertThatThrownBy(() -> begin(imports, "greek")).isInstanceOf(OverloadedException.class);
        assertThat(courses()).containsExactly("maths");
    }
}

package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.imports.CourseImport.Progress;
import dev.registrar.imports.CourseImport.State;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A stopped import continues when its file is sent again; an imported file is not imported twice. */
class ContinuedImportsTest extends CourseImportsFixture {
    @Test
    void an_import_stopped_by_a_failure_continues_when_sent_again() {
        CourseImports imports = imports(settings().patience(SHORT_RETRY));
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

    /* The import stops after two of four courses; before it continues, another request takes the id of the third. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void an_id_taken_before_the_continuation_is_an_error_of_its_line_only(int concurrency) {
        troubled.beforeAppend(number -> unavailableIf(number > 2));
        ended(begin(imports(settings().patience(SHORT_RETRY)), KEY, "maths", "music", "latin", "greek"));
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
                        null,
                        null));
        assertThat(courses()).containsExactly("maths", "music", "latin", "greek");
    }

    @Test
    void the_same_file_continues_without_a_key_too() {
        troubled.beforeAppend(number -> unavailableIf(number > 2));
        Progress stopped = ended(begin(imports(settings().patience(SHORT_RETRY)), "maths", "music", "latin"));
        troubled.beforeAppend(number -> {});

        CourseImports imports = imports(settings());
        CourseImport goingOn = begin(imports, "maths", "music", "latin");

        assertThat(stopped.state()).isEqualTo(State.STOPPED);
        assertThat(ended(goingOn)).isEqualTo(finished(goingOn.progress(), 3, 2));
        assertThat(courses()).containsExactly("maths", "music", "latin");
        assertThat(begin(imports, "maths", "music", "latin")).isSameAs(goingOn);
    }

    /* ar-EG has digits of its own. */
    @Test
    void a_file_is_not_imported_again_by_an_instance_of_another_locale() {
        Locale usual = Locale.getDefault();
        try {
            Locale.setDefault(Locale.ENGLISH);
            ended(begin(imports(settings()), "maths", "music"));

            Locale.setDefault(Locale.forLanguageTag("ar-EG"));
            CourseImport again = begin(imports(settings()), "maths", "music");

            assertThat(ended(again)).isEqualTo(finished(again.progress(), 2, 2));
        } finally {
            Locale.setDefault(usual);
        }
    }

    @Test
    void a_repeated_key_names_the_same_import() {
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
        CourseImports imports = imports(settings().patience(SHORT_RETRY));
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
        Progress repeated = ended(again);
        Progress corrected = ended(begin(imports, new IdempotencyKey(KEY.value(), "corrected"), "maths"));

        assertThat(again).isNotSameAs(refused);
        assertThat(repeated.state()).isEqualTo(State.REFUSED);
        assertThat(corrected).isEqualTo(finished(corrected, 1, 0));
        assertThat(courses()).containsExactly("music", "maths");
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
}

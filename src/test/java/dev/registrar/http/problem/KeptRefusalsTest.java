package dev.registrar.http.problem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.http.problem.KeptRefusals.KeptRefusal;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;

class KeptRefusalsTest {
    private static final CloseCourse COMMAND = new CloseCourse(new CourseId("maths"));

    private static KeptRefusals keeping(int most) {
        return new KeptRefusals(new KeptRefusals.Settings(most));
    }

    private static void refuse(KeptRefusals refusals, String correlationId) {
        refusals.keep(correlationId, COMMAND, CloseCourse.Refused.COURSE_ALREADY_CLOSED);
    }

    @Test
    void after_ten_times_as_many_from_many_threads_there_are_as_many_as_set() {
        KeptRefusals refusals = keeping(100);

        IntStream.range(0, 1_000).parallel().forEach(i -> refuse(refusals, "flood-" + i));

        assertThat(IntStream.range(0, 1_000)
                        .filter(i -> !refusals.find("flood-" + i).isEmpty()))
                .hasSize(100);
    }

    @Test
    void the_latest_take_the_place_of_the_oldest() {
        KeptRefusals refusals = keeping(3);

        IntStream.range(0, 10).forEach(i -> refuse(refusals, "id-" + i));

        assertThat(IntStream.range(0, 10).filter(i -> !refusals.find("id-" + i).isEmpty()))
                .containsExactly(7, 8, 9);
    }

    @Test
    void of_many_under_one_id_the_latest_are_found() {
        KeptRefusals refusals = keeping(50);

        IntStream.range(0, 60).forEach(i -> refuse(refusals, "same"));

        assertThat(refusals.find("same"))
                .extracting(KeptRefusal::number)
                .containsExactlyElementsOf(
                        IntStream.range(0, 20).mapToObj(i -> 59L - i).toList());
        assertThat(refusals.find("other")).isEmpty();
    }

    @Test
    void nothing_is_kept_if_none_may_be() {
        KeptRefusals refusals = keeping(0);

        refuse(refusals, "id");

        assertThat(refusals.find("id")).isEmpty();
    }

    @Test
    void a_refusal_has_no_personal_data() {
        KeptRefusals refusals = keeping(1);

        refuse(refusals, "id");

        assertThat(Arrays.stream(KeptRefusal.class.getRecordComponents()).map(RecordComponent::getName))
                .containsExactly("number", "refusedAt", "correlationId", "commandType", "code", "status");
        assertThat(refusals.find("id"))
                .singleElement()
                .satisfies(kept -> assertThat(kept)
                        .isEqualTo(new KeptRefusal(
                                0,
                                kept.refusedAt(),
                                "id",
                                "CloseCourse",
                                "course-already-closed",
                                HttpStatus.CONFLICT)));
    }
}

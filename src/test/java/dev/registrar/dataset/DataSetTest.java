package dev.registrar.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Data sets obey the rules and are the same in every run; an interrupted load can be continued. */
class DataSetTest {
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final CpuExecutor executor = CpuExecutor.open(CpuOptions.defaults());
    private final DataSetLoader loader = new DataSetLoader(store, new EnrollmentEventCodec(), executor);

    @AfterEach
    void close() {
        executor.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"TINY", "SMALL"})
    void a_data_set_obeys_the_rules_of_enrollment(DataSet dataSet) {
        List<StudentEnrolledInCourse> enrollments = dataSet.events()
                .filter(StudentEnrolledInCourse.class::isInstance)
                .map(StudentEnrolledInCourse.class::cast)
                .toList();

        assertThat(enrollments).hasSize(dataSet.enrollments());
        assertThat(new HashSet<>(enrollments)).hasSize(dataSet.enrollments());
        Map<CourseId, Long> ofCourse = enrollments.stream()
                .collect(Collectors.groupingBy(StudentEnrolledInCourse::course, Collectors.counting()));
        Map<StudentId, Long> ofStudent = enrollments.stream()
                .collect(Collectors.groupingBy(StudentEnrolledInCourse::student, Collectors.counting()));
        assertThat(ofCourse.values()).allMatch(students -> students <= 100);
        assertThat(ofStudent.values()).allMatch(courses -> courses <= 10);
        assertThat(dataSet.events()).hasSize(dataSet.size());
    }

    @Test
    void a_data_set_is_the_same_each_time() {
        List<EnrollmentEvent> once = DataSet.TINY.events().toList();

        assertThat(DataSet.TINY.events().toList()).isEqualTo(once);
    }

    @Tag("thorough")
    @Test
    void an_interrupted_load_continues_after_its_keys_have_expired() {
        InMemoryEventStore copy = new InMemoryEventStore();
        assertThatThrownBy(() -> loader.load(DataSet.SMALL, loaded -> {
                    if (loaded == 4_000) {
                        throw new IllegalStateException("broken off");
                    }
                }))
                .hasMessage("broken off");
        try (EventStream events = store.read(Query.all())) {
            events.stream().forEach(stored -> copy.append(List.of(stored.event())));
        }

        new DataSetLoader(copy, new EnrollmentEventCodec(), executor).load(DataSet.SMALL, loaded -> {});

        assertThat(copy.count(Query.all())).isEqualTo(30_500);
    }

    @Test
    void a_data_set_is_not_loaded_over_courses_with_the_same_ids() {
        store.append(List.of(Event.of("CourseDefined", "{}", "course:course-1")));

        assertThatThrownBy(() -> loader.load(DataSet.TINY, loaded -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("course-1");
        assertThat(store.count(Query.all())).isEqualTo(1);
    }
}

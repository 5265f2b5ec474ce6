package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DefineCourse;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.support.ResourceBundleMessageSource;
import org.springframework.core.ResolvableType;
import org.springframework.format.support.DefaultFormattingConversionService;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.ServletRequestDataBinder;

/** The forms of the course office, as Spring binds them: what is typed becomes a command, or an error of its field. */
class CourseFormTest {
    private BindingResult form = bind(CourseForm.class).getBindingResult();

    private static ServletRequestDataBinder bind(Class<?> type, String... fields) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        for (int i = 0; i < fields.length; i += 2) {
            request.addParameter(fields[i], fields[i + 1]);
        }
        DefaultFormattingConversionService formats = new DefaultFormattingConversionService();
        new FieldFormats().addFormatters(formats);
        ServletRequestDataBinder binder = new ServletRequestDataBinder(null, "form");
        binder.setTargetType(ResolvableType.forClass(type));
        binder.setConversionService(formats);
        binder.construct(request);
        return binder;
    }

    /* The command of a form; empty if it has an error. */
    private Optional<DefineCourse> course(String... fields) {
        ServletRequestDataBinder binder = bind(CourseForm.class, fields);
        form = binder.getBindingResult();
        return binder.getTarget() instanceof CourseForm typed ? typed.command(form) : Optional.empty();
    }

    private Optional<DefineCourse> course(String opens, String closes, String zone) {
        return course("id", "m", "title", "Title", "capacity", "3", "opensAt", opens, "closesAt", closes, "zone", zone);
    }

    @Test
    void a_complete_form_becomes_the_command() {
        DefineCourse command = course(
                        "id",
                        " maths-101 ",
                        "title",
                        " Mathematics",
                        "capacity",
                        "30",
                        "prerequisites",
                        "maths-100, logic-1  sets-1",
                        "opensAt",
                        "2027-02-01T08:00",
                        "closesAt",
                        "2027-03-01 00:00",
                        "zone",
                        "UTC")
                .orElseThrow();

        assertThat(command.course()).isEqualTo(new CourseId("maths-101"));
        assertThat(command.title().value()).isEqualTo("Mathematics");
        assertThat(command.capacity().seats()).isEqualTo(30);
        assertThat(command.prerequisites().ids()).containsExactly("logic-1", "maths-100", "sets-1");
        assertThat(command.window().opensAt()).isEqualTo(Instant.parse("2027-02-01T08:00:00Z"));
        assertThat(command.window().closesAt()).isEqualTo(Instant.parse("2027-03-01T00:00:00Z"));
    }

    @Test
    void the_id_of_the_form_is_that_of_a_course_without_one() {
        assertThat(course("id", "", "newId", "new-1", "title", "T", "capacity", "3")
                        .orElseThrow()
                        .course()
                        .value())
                .isEqualTo("new-1");
        assertThat(course("id", "maths", "newId", "new-1", "title", "T", "capacity", "3")
                        .orElseThrow()
                        .course()
                        .value())
                .isEqualTo("maths");
    }

    @ParameterizedTest
    @CsvSource({
        "UTC, 2027-07-01T08:00:00Z",
        "+02:00, 2027-07-01T06:00:00Z",
        "-11:30, 2027-07-01T19:30:00Z",
        "Europe/Berlin, 2027-07-01T06:00:00Z",
        "'', 2027-07-01T08:00:00Z"
    })
    void times_are_read_in_the_stated_zone(String zone, Instant opens) {
        assertThat(course("2027-07-01T08:00", "", zone).orElseThrow().window().opensAt())
                .isEqualTo(opens);
    }

    @Test
    void an_hour_that_two_offsets_have_is_the_earlier_one() {
        assertThat(course("2027-10-31T02:30", "", "Europe/Berlin")
                        .orElseThrow()
                        .window()
                        .opensAt())
                .isEqualTo(Instant.parse("2027-10-31T00:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "2027-03-28T02:30, '', Europe/Berlin, opensAt",
        "soon, '', UTC, opensAt",
        "'', 2027-13-01T00:00, UTC, closesAt",
        "+10000-01-01T00:00, '', UTC, opensAt",
        "2027-02-01T08:00, 2027-02-01T08:00, UTC, closesAt",
        "2027-02-01T08:00, '', Atlantis/Capital, zone",
        "2027-02-01T08:00, '', +99:00, zone"
    })
    void a_time_that_cannot_be_meant_is_an_error(String opens, String closes, String zone, String field) {
        assertThat(course(opens, closes, zone)).isEmpty();

        assertThat(form.getFieldErrors()).extracting(FieldError::getField).containsExactly(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "100001", "٣٠", "9999999999", "many", "1e3", "+5"})
    void a_number_of_seats_has_digits_and_bounds(String capacity) {
        assertThat(course("title", "Title", "capacity", capacity)).isEmpty();

        assertThat(form.getFieldError("capacity")).isNotNull();
        assertThat(form.getFieldValue("capacity")).isEqualTo(capacity);
        assertThat(form.getFieldValue("title")).hasToString("Title");
    }

    @ParameterizedTest
    @ValueSource(strings = {"m1 m2 <b>", "a b c d e f g h i j k l m n o p q"})
    void too_many_or_malformed_required_courses_are_an_error(String prerequisites) {
        assertThat(course("title", "Title", "capacity", "3", "prerequisites", prerequisites))
                .isEmpty();

        assertThat(form.getFieldErrors()).extracting(FieldError::getField).containsExactly("prerequisites");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "-a", "../x", "<script>", "é"})
    void a_malformed_id_is_an_error(String id) {
        assertThat(course("id", id, "title", "Title", "capacity", "3")).isEmpty();

        assertThat(form.getFieldErrors()).extracting(FieldError::getField).containsExactly("id");
    }

    @Test
    void id_and_tier_of_a_student_may_be_left_out() {
        ServletRequestDataBinder binder = bind(
                StudentListController.StudentForm.class,
                "id",
                "",
                "name",
                "Ann Arbor",
                "email",
                "ann@example.org",
                "tier",
                "");

        assertThat(binder.getTarget()).isInstanceOfSatisfying(StudentListController.StudentForm.class, typed -> {
            assertThat(typed.id()).isNull();
            assertThat(typed.tier()).isNull();
            assertThat(typed.name().value()).isEqualTo("Ann Arbor");
            assertThat(typed.email().value()).isEqualTo("ann@example.org");
        });
    }

    static Stream<Class<?>> forms() {
        return Stream.concat(
                Stream.of(CourseForm.class, WindowForm.class),
                Stream.of(CoursePageController.class, StudentListController.class, StudentPageController.class)
                        .flatMap(controller -> Stream.of(controller.getDeclaredClasses()))
                        .filter(type -> type.getSimpleName().endsWith("Form")));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void each_field_has_a_name_and_says_what_is_wrong_with_it(Class<?> type) {
        ResourceBundleMessageSource messages = new ResourceBundleMessageSource();
        messages.setBasename("messages");
        messages.setDefaultEncoding("UTF-8");

        for (RecordComponent field : type.getRecordComponents()) {
            assertThat(messages.getMessage("field." + field.getName(), null, Locale.ENGLISH))
                    .isNotBlank();
            assertThat(messages.getMessage("typeMismatch." + field.getName(), null, Locale.ENGLISH))
                    .endsWith(".");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "a b, Ann, ann@example.org, basic, id",
        "ann, '\u200B', ann@example.org, basic, name",
        "ann, Ann, ann, basic, email",
        "ann, Ann, ann@example.org, gold, tier"
    })
    void a_refused_value_of_a_student_is_an_error(String id, String name, String email, String tier, String field) {
        BindingResult student = bind(
                        StudentListController.StudentForm.class, "id", id, "name", name, "email", email, "tier", tier)
                .getBindingResult();

        assertThat(student.getFieldErrors()).extracting(FieldError::getField).containsExactly(field);
    }
}

package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Command;
import dev.registrar.judges.History.Condition;
import dev.registrar.judges.History.Counting;
import dev.registrar.judges.History.HeadSeen;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import dev.registrar.judges.History.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CheckerTest {
    @TempDir
    private Path folder;

    private History right;

    @BeforeEach
    void record() throws IOException {
        right = RecordedRound.in(folder);
    }

    @Test
    void the_history_of_a_correct_store_is_right() {
        assertThat(Checker.violations(right)).isEmpty();
        assertThat(right.log()).hasSizeGreaterThan(100);
        assertThat(right.calls()).hasSizeGreaterThan(300);
    }

    @ParameterizedTest
    @EnumSource
    void a_planted_fault_is_found(PlantedFault fault) {
        assertBroken(fault.rule(), fault.in(right));
    }

    /* A log of three events; each of these calls was answered otherwise than a correct store would have. */
    @ParameterizedTest
    @MethodSource
    void a_wrong_answer_is_found(String rule, Call wrong) {
        List<Call> calls = new ArrayList<>(List.of(
                appending(1, 2, null, part(1, 1).appendedAt(1, 1)),
                appending(3, 4, null, part(2, 2).appendedAt(2, 3))));
        List<Stored> log = List.of(stored(1, "A"), stored(2, "B"), stored(3, "B"));
        assertThat(Checker.violations(new History(0, calls, log))).isEmpty();

        calls.add(wrong);

        assertBroken(rule, new History(0, calls, log));
    }

    static Stream<Arguments> a_wrong_answer_is_found() {
        Item a = new Item(List.of("A"), List.of());
        Item none = new Item(List.of("None"), List.of());
        return Stream.of(
                arguments(
                        "a",
                        appending(
                                1,
                                9,
                                "key",
                                part(2, 2, new Condition(List.of(a), 0)).appendedAt(2, 3))),
                arguments(
                        "b",
                        appending(
                                5,
                                6,
                                null,
                                part(9, 1, new Condition(List.of(none), 0)).with(Outcome.REFUSED))),
                arguments(
                        "b",
                        appending(
                                5,
                                6,
                                null,
                                part(9, 1, new Condition(List.of(a), 0)).refusedBy(2))),
                arguments(
                        "b",
                        appending(
                                0,
                                1,
                                null,
                                part(9, 1, new Condition(List.of(), 1)).with(Outcome.REFUSED))),
                arguments("c", Call.of(9, "one", 5, 6, new HeadSeen(1))),
                arguments("c", Call.of(9, "one", 1, 2, new HeadSeen(3))),
                arguments("c", Call.of(9, "one", 0, 1, new HeadSeen(3))),
                arguments("d", Call.of(9, "one", 3, 4, new HeadSeen(2))),
                arguments("d", Call.of(9, "one", 5, 6, new Reading(List.of(a), 0, List.of(), List.of(), 3))),
                arguments("d", Call.of(9, "one", 5, 6, new Reading(List.of(a), 0, List.of(1L), List.of(7L), 3))),
                arguments("d", Call.of(9, "one", 5, 6, new Counting(List.of(a), 0, 2, 3))),
                arguments("f", Call.of(9, "one", 5, 6, new HeadSeen(4))),
                arguments("f", appending(1, 9, null, part(1, 1).with(Outcome.FAILED))),
                arguments("f", appending(1, 9, null, part(3, 2).with(Outcome.UNKNOWN))),
                arguments("f", appending(1, 9, "key", part(1, 1).with(Outcome.UNKNOWN))),
                arguments("f", appending(5, 6, "key", part(9, 1).with(Outcome.UNKNOWN))),
                arguments("f", appending(1, 9, null, part(1, 1).appendedAt(2, 2))),
                arguments("f", appending(5, 6, null, part(9, 1).with(Outcome.UNTRIED))));
    }

    private static Call appending(long invoked, long returned, @Nullable String key, Part part) {
        return Call.of(
                0,
                "one",
                invoked,
                part.outcome() == Outcome.UNKNOWN ? null : Long.valueOf(returned),
                new Appending(key, null, List.of(part)));
    }

    /** Events whose ids are these and the following numbers. */
    private static Part part(long first, int events, Condition... conditions) {
        return Part.of(
                LongStream.range(first, first + events)
                        .mapToObj(id -> new NewEvent(new UUID(0, id), id == 1 ? "A" : "B", List.of()))
                        .toList(),
                List.of(conditions));
    }

    private static Stored stored(long position, String type) {
        return new Stored(position, new UUID(0, position), type, List.of(), null);
    }

    private static void assertBroken(String rule, History history) {
        assertThat(Checker.violations(history)).anyMatch(violation -> violation.startsWith("(%s)".formatted(rule)));
    }

    @Test
    void the_parts_of_a_chain_are_stored_together() {
        List<Call> calls = List.of(
                Call.of(
                        0,
                        "one",
                        1,
                        2L,
                        new Appending(
                                null,
                                null,
                                List.of(part(1, 1).appendedAt(1, 1), part(3, 1).appendedAt(3, 3)))),
                appending(1, 2, null, part(2, 1).appendedAt(2, 2)));

        assertBroken("f", new History(0, calls, List.of(stored(1, "A"), stored(2, "B"), stored(3, "B"))));
    }

    @Test
    void an_event_that_nobody_sent_is_found() {
        assertBroken("f", new History(0, List.of(), List.of(stored(1, "A"))));
    }

    @Test
    void a_gap_in_the_positions_is_found() {
        List<Stored> log = new ArrayList<>(right.log());
        log.remove(50);

        assertThat(Checker.violations(new History(0, right.calls(), log)))
                .singleElement()
                .asString()
                .startsWith("(e)");
    }

    @Test
    void an_overbooked_course_is_found() {
        History planted = new History(
                0,
                List.of(),
                List.of(
                        office(1, "CourseDefined", "{\"capacity\": 1}", "course:c1"),
                        office(2, EnrollmentRules.ENROLLED, "{}", "course:c1", "student:s1"),
                        office(3, EnrollmentRules.ENROLLED, "{}", "course:c1", "student:s2")));

        assertThat(EnrollmentRules.violations(planted)).anyMatch(violation -> violation.contains("2 enrolled"));
    }

    @Test
    void an_override_overbooks_a_course_and_the_next_enrollment_must_not() {
        List<Stored> overbooked = List.of(
                office(1, "CourseDefined", "{\"capacity\": 1}", "course:c1"),
                office(2, EnrollmentRules.ENROLLED_BY_OVERRIDE, "{}", "course:c1", "student:s1"),
                office(3, EnrollmentRules.ENROLLED_BY_OVERRIDE, "{}", "course:c1", "student:s2"),
                office(4, "CourseCapacityChanged", "{\"capacity\": 2}", "course:c1"));
        List<Stored> beyond = new ArrayList<>(overbooked);
        beyond.add(office(5, EnrollmentRules.ENROLLED, "{}", "course:c1", "student:s3"));
        List<Stored> twice = new ArrayList<>(overbooked);
        twice.add(office(5, EnrollmentRules.ENROLLED_BY_OVERRIDE, "{}", "course:c1", "student:s2"));

        assertThat(EnrollmentRules.violations(new History(0, List.of(), overbooked)))
                .isEmpty();
        assertThat(EnrollmentRules.violations(new History(0, List.of(), beyond)))
                .anyMatch(violation -> violation.contains("3 enrolled"));
        assertThat(EnrollmentRules.violations(new History(0, List.of(), twice)))
                .singleElement()
                .asString()
                .contains("2 times in the course");
    }

    @Test
    void an_answer_that_was_right_at_no_time_is_found() {
        List<Stored> log = List.of(
                office(1, "CourseDefined", "{\"capacity\": 2}", "course:c1"),
                office(2, EnrollmentRules.ENROLLED, "{}", "course:c1", "student:s1"));

        assertThat(EnrollmentRules.violations(new History(0, List.of(enrolling("s1", 201, "", 2L)), log)))
                .isEmpty();
        Call right = enrolling("s1", 201, "", 2L);
        assertThat(EnrollmentRules.violations(
                        new History(0, List.of(right, enrolling("s2", 409, "course-full", null)), log)))
                .hasSize(1);
        assertThat(EnrollmentRules.violations(new History(0, List.of(right, right), log)))
                .hasSize(1);
        assertThat(EnrollmentRules.violations(new History(0, List.of(), log))).hasSize(1);
    }

    private static Call enrolling(String student, int status, String code, @Nullable Long position) {
        Command command = new Command("PUT", "c1", student, status, code, position);
        return Call.of(0, "one", 1, 2L, command);
    }

    private static Stored office(long position, String type, String data, String... tags) {
        return new Stored(position, new UUID(0, position), type, List.of(tags), data);
    }
}

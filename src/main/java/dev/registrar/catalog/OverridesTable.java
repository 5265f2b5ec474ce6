package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import java.util.List;
import java.util.Map;

/** The table of the enrollments by override, with reason and actor. A row goes with its enrollment. */
final class OverridesTable {
    private OverridesTable() {}

    /** An event that may have begun an enrollment. */
    record Begun(StudentEnrolledByOverride override, SequencedEvent event) {}

    static void create(Tables tables) {
        tables.sql("""
                create table ${schema}.overrides (
                    course text collate "C" not null,
                    student text collate "C" not null,
                    reason text not null,
                    actor text,
                    constraint overrides_pk primary key (course, student),
                    constraint overrides_enrollment foreign key (course, student)
                        references ${schema}.enrollments (course, student) on delete cascade
                )""").update();
        // Statistics would keep samples of reasons that were erased.
        tables.sql("alter table ${schema}.overrides alter column reason set statistics 0")
                .update();
    }

    /** Adds the overrides with which present enrollments began: an enrolled student is not enrolled again. */
    static void insert(List<Begun> overrides, Tables tables) {
        tables.sql("""
                        insert into ${schema}.overrides (course, student, reason, actor)
                        select course, student, given.reason, given.actor
                        from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
                            given (course, student, reason, actor, position)
                        join ${schema}.enrollments using (course, student, position)""")
                .param(overrides.stream()
                        .map(begun -> begun.override().course().value())
                        .toArray(String[]::new))
                .param(overrides.stream()
                        .map(begun -> begun.override().student().value())
                        .toArray(String[]::new))
                .param(overrides.stream()
                        .map(begun -> Shown.text(begun.override().reason().value()))
                        .toArray(String[]::new))
                .param(overrides.stream()
                        .map(begun -> begun.event().actor())
                        .map(actor -> actor == null ? null : actor.json())
                        .toArray(String[]::new))
                .param(overrides.stream()
                        .mapToLong(begun -> begun.event().position().value())
                        .toArray())
                .update();
    }

    /** Erases the reasons of the overrides before the erasure of each student. */
    static void erase(Map<StudentId, Position> students, Tables tables) {
        tables.sql("""
                        update ${schema}.overrides override
                        set reason = ?
                        from unnest(?::text[], ?::bigint[]) erased (student, position)
                        join ${schema}.enrollments using (student)
                        where override.student = enrollments.student
                        and override.course = enrollments.course
                        and enrollments.position < erased.position""")
                .param(OverrideReason.ERASED.value())
                .param(students.keySet().stream().map(StudentId::value).toArray(String[]::new))
                .param(students.values().stream().mapToLong(Position::value).toArray())
                .update();
    }
}

package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All students. */
public record StudentsView(EnrollmentEventCodec codec) implements View {

    /**
     * A page of students in the order of their names.
     *
     * @param next where the next page begins; empty on the last page
     */
    public record Page(List<StudentView> students, Optional<Cursor> next) {}

    /** The student after which a page begins, by name and id. */
    public record Cursor(String name, String id) {}

    @Override
    public String name() {
        return "students";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(EnrollmentEventCodec.STUDENT_REGISTERED));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        tables.sql("""
                create table ${schema}.students (
                    id text collate "C" not null,
                    name text not null,
                    email text not null,
                    position bigint not null,
                    constraint students_pk primary key (id)
                )""").update();
    }

    @Override
    public void index(Tables tables) {
        tables.sql("create index if not exists students_name on ${schema}.students (lower(name), id)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        // Other clients of the store may append several registrations under an id: the last one counts.
        Map<StudentId, Current<StudentView>> last = new LinkedHashMap<>();
        for (SequencedEvent event : events) {
            StudentRegistered registered = (StudentRegistered) codec.decode(event.event());
            last.put(registered.student(), new Current<>(StudentView.of(registered), event.position()));
        }
        List<Current<StudentView>> students = List.copyOf(last.values());
        tables.sql("""
                        insert into ${schema}.students (id, name, email, position)
                        select given.id, given.name, given.email, given.position
                        from unnest(?::text[], ?::text[], ?::text[], ?::bigint[]) given (id, name, email, position)
                        on conflict (id) do update
                        set name = excluded.name, email = excluded.email, position = excluded.position""")
                .param(texts(students, StudentView::id))
                .param(texts(students, StudentView::name))
                .param(texts(students, StudentView::email))
                .param(students.stream()
                        .mapToLong(student -> student.asOf().value())
                        .toArray())
                .update();
    }

    private static String[] texts(List<Current<StudentView>> students, Function<StudentView, String> text) {
        return students.stream().map(student -> text.apply(student.view())).toArray(String[]::new);
    }

    /** The student; empty if no student was registered under the id. */
    public static Optional<Current<StudentView>> find(Tables tables, StudentId student) {
        return tables.sql("select id, name, email, position from ${schema}.students where id = ?")
                .param(student.value())
                .query((row, number) -> new Current<>(student(row), Position.of(row.getLong("position"))))
                .optional();
    }

    /**
     * A page of students.
     *
     * @param search the beginning of the names, in any case; empty for all students
     * @param after the student before the page; null for the first page
     * @param most students on the page
     */
    public static Page page(Tables tables, String search, @Nullable Cursor after, int most) {
        var page = tables.sql("""
                        select id, name, email, lower(name) as key
                        from ${schema}.students
                        where starts_with(lower(name), lower(?))
                        %s
                        order by lower(name), id
                        limit ?""".formatted(after == null ? "" : "and (lower(name), id) > (?, ?)"))
                .param(search);
        if (after != null) {
            page = page.param(after.name()).param(after.id());
        }
        List<Cursor> keys = new ArrayList<>();
        List<StudentView> students = page.param(most + 1)
                .query((row, number) -> {
                    keys.add(new Cursor(row.getString("key"), row.getString("id")));
                    return student(row);
                })
                .list();
        return students.size() <= most
                ? new Page(students, Optional.empty())
                : new Page(students.subList(0, most), Optional.of(keys.get(most - 1)));
    }

    private static StudentView student(ResultSet row) throws SQLException {
        return new StudentView(row.getString("id"), row.getString("name"), row.getString("email"));
    }
}

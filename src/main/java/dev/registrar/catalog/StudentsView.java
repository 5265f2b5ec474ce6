package dev.registrar.catalog;

import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentProfileEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.SearchForm;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All students with their tiers. */
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
        return 5;
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(StudentProfileEvent.class));
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
                    form text not null,
                    email text not null,
                    tier text,
                    position bigint not null,
                    constraint students_pk primary key (id)
                )""").update();
        // Statistics would keep samples of what was erased.
        tables.sql("""
                alter table ${schema}.students
                    alter column name set statistics 0,
                    alter column email set statistics 0""").update();
    }

    @Override
    public void index(Tables tables) {
        tables.sql("create index if not exists students_name on ${schema}.students (form, id)")
                .update();
        // Names that begin alike are not always neighbours in the order of a language.
        tables.sql("create index if not exists students_beginning on ${schema}.students (form text_pattern_ops)")
                .update();
    }

    /** The changes of a student after the registration. */
    private static final class Change {
        @Nullable String name;

        @Nullable String email;

        @Nullable String tier;

        long position;
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        // Other clients of the store may append several registrations under an id: the last one is valid.
        Map<StudentId, Current<StudentView>> registered = new LinkedHashMap<>();
        Map<StudentId, Change> changes = new LinkedHashMap<>();
        boolean isAnyErased = false;
        for (SequencedEvent event : events) {
            StudentProfileEvent decoded = (StudentProfileEvent) codec.decode(event.event());
            isAnyErased |= decoded instanceof StudentErased;
            if (decoded instanceof StudentRegistered again) {
                if (changes.containsKey(again.student())) {
                    // Earlier changes belong to an earlier registration, or to no student.
                    write(registered, changes, tables);
                    registered.clear();
                    changes.clear();
                }
                registered.put(again.student(), new Current<>(StudentView.of(again), event.position()));
            } else {
                Change change = changes.computeIfAbsent(decoded.student(), none -> new Change());
                change.position = event.position().value();
                add(decoded, change);
            }
        }
        write(registered, changes, tables);
        if (isAnyErased) {
            // The searched form needs statistics: without the erased name in them.
            tables.sql("analyze ${schema}.students (form)").update();
        }
    }

    private static void add(StudentProfileEvent event, Change change) {
        switch (event) {
            case StudentRegistered registered -> {}
            case StudentNameChanged changed ->
                change.name = Shown.text(changed.name().value());
            case StudentEmailChanged changed ->
                change.email = Shown.text(changed.email().value());
            case StudentTierChanged changed -> change.tier = changed.tier().code();
            case StudentErased erased -> {
                change.name = StudentName.ERASED.value();
                change.email = EmailAddress.ERASED.value();
            }
        }
    }

    private static void write(
            Map<StudentId, Current<StudentView>> registered, Map<StudentId, Change> changes, Tables tables) {
        if (!registered.isEmpty()) {
            insert(List.copyOf(registered.values()), tables);
        }
        if (!changes.isEmpty()) {
            update(changes, tables);
        }
    }

    private static void insert(List<Current<StudentView>> students, Tables tables) {
        tables.sql("""
                        insert into ${schema}.students (id, name, form, email, position)
                        select given.id, given.name, given.form, given.email, given.position
                        from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
                            given (id, name, form, email, position)
                        on conflict (id) do update
                        set name = excluded.name,
                            form = excluded.form,
                            email = excluded.email,
                            position = excluded.position""")
                .param(texts(students, StudentView::id))
                .param(texts(students, StudentView::name))
                .param(texts(students, student -> SearchForm.of(student.name())))
                .param(texts(students, StudentView::email))
                .param(students.stream()
                        .mapToLong(student -> student.asOf().value())
                        .toArray())
                .update();
    }

    /* Other clients of the store may append changes of a student who was never registered: these change no row. */
    private static void update(Map<StudentId, Change> changes, Tables tables) {
        List<Change> values = List.copyOf(changes.values());
        tables.sql("""
                        update ${schema}.students student
                        set name = coalesce(given.name, student.name),
                            form = coalesce(given.form, student.form),
                            email = coalesce(given.email, student.email),
                            tier = coalesce(given.tier, student.tier),
                            position = given.position
                        from unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[])
                            given (id, name, form, email, tier, position)
                        where student.id = given.id""")
                .param(changes.keySet().stream().map(StudentId::value).toArray(String[]::new))
                .param(changed(values, change -> change.name))
                .param(changed(values, change -> change.name == null ? null : SearchForm.of(change.name)))
                .param(changed(values, change -> change.email))
                .param(changed(values, change -> change.tier))
                .param(values.stream().mapToLong(change -> change.position).toArray())
                .update();
    }

    private static String[] texts(List<Current<StudentView>> students, Function<StudentView, String> text) {
        return students.stream().map(student -> text.apply(student.view())).toArray(String[]::new);
    }

    private static @Nullable String[] changed(List<Change> changes, Function<Change, @Nullable String> text) {
        return changes.stream().map(text).toArray(String[]::new);
    }

    /** The student; empty if no student was registered under the id. */
    public static Optional<Current<StudentView>> find(Tables tables, StudentId student) {
        return among(tables, List.of(student.value())).stream().findFirst();
    }

    /** The students with these ids that were registered, in no order. */
    public static List<Current<StudentView>> among(Tables tables, Collection<String> ids) {
        return tables.sql("select id, name, email, tier, position from ${schema}.students where id = any(?::text[])")
                .param(ids.toArray(String[]::new))
                .query((row, number) -> new Current<>(student(row), Position.of(row.getLong("position"))))
                .list();
    }

    /**
     * The ids of the students who have reached or exceeded their limit of courses.
     *
     * @param numbers the number of courses of each student
     * @param limitWithoutTier maximum number of courses of a student without a tier
     */
    public static Set<String> atLimit(Tables tables, Map<String, Integer> numbers, int limitWithoutTier) {
        Map<String, Integer> limits = new HashMap<>();
        for (Current<StudentView> student : among(tables, numbers.keySet())) {
            String tier = student.view().tier();
            if (tier != null) {
                limits.put(student.view().id(), Tier.of(tier).courses());
            }
        }
        return numbers.entrySet().stream()
                .filter(courses -> courses.getValue() >= limits.getOrDefault(courses.getKey(), limitWithoutTier))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /**
     * A page of students.
     *
     * @param search beginning of the names, compared by its {@link SearchForm}; empty for all students
     * @param after the last student of the previous page; null for the first page
     * @param most maximum number of students on the page
     */
    public static Page page(SearchedTables searched, String search, @Nullable Cursor after, int most) {
        String form = SearchForm.of(search);
        Tables tables = form.isEmpty() ? searched.inOrderOfIndex() : searched;
        var page = tables.sql("""
                        select id, name, email, tier, form as key
                        from ${schema}.students
                        where %s
                        and %s
                        order by form, id
                        limit %s""".formatted(
                form.isEmpty() ? "true" : "form like ?", after == null ? "true" : "(form, id) > (?, ?)", most + 1));
        if (!form.isEmpty()) {
            page = page.param(CoursesView.literally(form) + "%");
        }
        if (after != null) {
            page = page.param(after.name()).param(after.id());
        }
        List<Cursor> keys = new ArrayList<>();
        List<StudentView> students = page.query((row, number) -> {
                    keys.add(new Cursor(row.getString("key"), row.getString("id")));
                    return student(row);
                })
                .list();
        return students.size() <= most
                ? new Page(students, Optional.empty())
                : new Page(students.subList(0, most), Optional.of(keys.get(most - 1)));
    }

    /**
     * Students whose ids begin with a text, in the order of their ids.
     *
     * @param most maximum number of students
     */
    public static List<StudentView> beginningWith(Tables tables, String beginning, int most) {
        return tables.sql("""
                        select id, name, email, tier
                        from ${schema}.students
                        where id >= ? and id < ? || chr(127)
                        order by id
                        limit ?""")
                .param(beginning)
                .param(beginning)
                .param(most)
                .query((row, number) -> student(row))
                .list();
    }

    private static StudentView student(ResultSet row) throws SQLException {
        return new StudentView(
                row.getString("id"), row.getString("name"), row.getString("email"), row.getString("tier"));
    }
}

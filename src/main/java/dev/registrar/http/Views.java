package dev.registrar.http;

import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.StudentsView;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Position;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Unknown;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.projection.ViewReader;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** Queries views: waits for the position that the client requests, and answers with the view's position. */
@Component
final class Views {
    static final int MAX_DIGITS = 18;

    private final ViewReader reader;
    private final CoursesView courses;
    private final StudentsView students;

    Views(ViewReader reader, CoursesView courses, StudentsView students) {
        this.reader = reader;
        this.courses = courses;
        this.students = students;
    }

    /**
     * Waits until a view has reached the position in the request's {@value Headers#AFTER}, and queries it.
     *
     * @throws dev.registrar.projection.ViewBehindException if the view does not reach the position in time
     * @throws InvalidValueException if the header is not a position, or is beyond the last event
     */
    <T> ViewAt<T> read(HttpServletRequest request, View view, Function<Tables, T> query) {
        Position after = after(request);
        return InvalidValueException.at("/" + Headers.AFTER, () -> reader.read(view, after, query));
    }

    /* The store's head is behind no position that a client can have, so a strong look-up does not read the header. */
    private <T> ViewAt<T> read(
            HttpServletRequest request, Consistency consistency, View view, Function<Tables, T> query) {
        return switch (consistency) {
            case VIEW -> read(request, view, query);
            case STRONG -> reader.readLatest(view, query);
        };
    }

    private static Position after(HttpServletRequest request) {
        String given = request.getHeader(Headers.AFTER);
        if (given == null) {
            return Position.START;
        }
        if (!given.matches("\\d{1,%d}".formatted(MAX_DIGITS))) {
            throw new InvalidValueException(
                    "/" + Headers.AFTER, "must be a position: a whole number of up to %d digits".formatted(MAX_DIGITS));
        }
        return Position.of(Long.parseLong(given));
    }

    /** Answers with one entry of a view, as {@link Reads#answer} does. */
    <V> ResponseEntity<Object> answer(
            HttpServletRequest request,
            Consistency consistency,
            View view,
            Function<Tables, Optional<Current<V>>> query,
            Unknown unknown,
            Function<V, Object> body) {
        ViewAt<Optional<Current<V>>> read = read(request, consistency, view, query);
        return at(read.position(), Reads.answer(read.found(), read.incarnation(), unknown, body));
    }

    /**
     * The body of the answer to a command: one entry of a view that contains the command's events. Null if the view
     * does not have them in time: the command has been carried out, and the answer reports that without a body.
     */
    <V> @Nullable Object after(
            Position command, View view, Function<Tables, Optional<Current<V>>> query, Function<V, Object> body) {
        try {
            return reader.read(view, command, query)
                    .found()
                    .map(Current::view)
                    .map(body)
                    .orElse(null);
        } catch (ViewBehindException | EventStoreException unreadable) {
            return null;
        }
    }

    /**
     * The body of a page.
     *
     * @param isEmpty whether the page has no entries
     * @param next the cursor of the next page; empty if this is the last page
     */
    record PageBody(Record body, boolean isEmpty, Optional<String> next) {

        /** The body with an entry for each row of a view. */
        static <R, E> PageBody of(
                List<R> rows, Function<R, E> entry, Function<List<E>, Record> body, Optional<String> next) {
            return new PageBody(body.apply(rows.stream().map(entry).toList()), rows.isEmpty(), next);
        }
    }

    /** Answers with a page of a view. */
    <P> ResponseEntity<Object> page(
            HttpServletRequest request, View view, Function<Tables, P> query, Function<P, PageBody> body) {
        ViewAt<P> read = read(request, view, query);
        return answer(request, read.position(), body.apply(read.found()));
    }

    private static ResponseEntity<Object> answer(HttpServletRequest request, Position position, PageBody page) {
        return at(position, Pages.answer(request, page.body(), page.next()));
    }

    /** Answers with a page of a list that belongs to a course, or with 404 if there is no such course. */
    <P> ResponseEntity<Object> pageOfCourse(
            HttpServletRequest request,
            Consistency consistency,
            CourseId course,
            View view,
            Function<Tables, P> query,
            Function<P, PageBody> body) {
        return page(
                request,
                consistency,
                courses,
                tables -> CoursesView.find(tables, course).isPresent(),
                Unknown.course(course),
                view,
                query,
                body);
    }

    /** Answers with a page of a list that belongs to a student, or with 404 if there is no such student. */
    <P> ResponseEntity<Object> pageOfStudent(
            HttpServletRequest request,
            Consistency consistency,
            StudentId student,
            View view,
            Function<Tables, P> query,
            Function<P, PageBody> body) {
        return page(
                request,
                consistency,
                students,
                tables -> StudentsView.find(tables, student).isPresent(),
                Unknown.student(student),
                view,
                query,
                body);
    }

    /* Who has entries exists, so only an empty page needs a query for its owner. */
    private <P> ResponseEntity<Object> page(
            HttpServletRequest request,
            Consistency consistency,
            View owners,
            Function<Tables, Boolean> owner,
            Unknown unknown,
            View view,
            Function<Tables, P> query,
            Function<P, PageBody> body) {
        ViewAt<P> read = read(request, consistency, view, query);
        PageBody page = body.apply(read.found());
        if (page.isEmpty()) {
            ViewAt<Boolean> known = read(request, consistency, owners, owner);
            if (!known.found()) {
                return at(known.position(), unknown.response());
            }
        }
        return answer(request, read.position(), page);
    }

    /** Adds the view's position to the answer, in {@value Headers#POSITION}. */
    static ResponseEntity<Object> at(Position position, ResponseEntity<Object> answer) {
        return ResponseEntity.status(answer.getStatusCode())
                .headers(answer.getHeaders())
                .header(Headers.POSITION, position.toString())
                .body(answer.getBody());
    }
}

package dev.registrar.http;

import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.StudentsView;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Position;
import dev.registrar.http.download.CatalogFiles;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Unknown;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.projection.ViewReader;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.util.DigestUtils;
import tools.jackson.databind.json.JsonMapper;

/** Queries views: waits for the position that the client requests, and answers with the view's position. */
@Component
final class Views implements CatalogFiles.Reads {
    static final int MAX_DIGITS = 18;

    private static final Pattern POSITION = Pattern.compile("[0-9]{1," + MAX_DIGITS + "}");

    /** Digits of the digest in the entity tag of one entry. */
    private static final int DIGITS = 16;

    private final ViewReader reader;
    private final CoursesView courses;
    private final StudentsView students;
    private final JsonMapper json;
    private final HttpServletRequest request;

    /** @param request the one that the thread handles, at each call */
    Views(ViewReader reader, CoursesView courses, StudentsView students, JsonMapper json, HttpServletRequest request) {
        this.reader = reader;
        this.courses = courses;
        this.students = students;
        this.json = json;
        this.request = request;
    }

    /**
     * Waits until a view has reached the position in the request's {@value Headers#AFTER}, and queries it.
     *
     * @throws dev.registrar.projection.ViewBehindException if the view does not reach the position in time
     * @throws InvalidValueException if the header is not a position, or is beyond the last event
     */
    @Override
    public <T> ViewAt<T> read(View view, Function<Tables, T> query) {
        Position after = after();
        return InvalidValueException.at("/" + Headers.AFTER, () -> reader.read(view, after, query));
    }

    /** As {@link #read}, for a query that may look at many rows. */
    @Override
    public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
        Position after = after();
        return InvalidValueException.at("/" + Headers.AFTER, () -> reader.search(view, after, query));
    }

    @Override
    public CatalogFiles.Reads ofPrimary() {
        return new Views(reader.ofPrimary(), courses, students, json, request);
    }

    /* The store's head is behind no position that a client can have, so a strong look-up does not read the header. */
    private <T> ViewAt<T> read(Consistency consistency, View view, Function<Tables, T> query) {
        return switch (consistency) {
            case VIEW -> read(view, query);
            case STRONG -> reader.readLatest(view, query);
        };
    }

    private Position after() {
        String given = request.getHeader(Headers.AFTER);
        if (given == null) {
            return Position.START;
        }
        if (!POSITION.matcher(given).matches()) {
            throw new InvalidValueException(
                    "/" + Headers.AFTER, "must be a position: a whole number of up to %s digits".formatted(MAX_DIGITS));
        }
        return Position.of(Long.parseLong(given));
    }

    /**
     * Answers with one entry of a view. Its entity tag contains the position of the last event that the entry depends
     * on.
     *
     * @param unknown the answer if there is no such entry, or if the caller may not know whether there is
     */
    <V, B> ResponseEntity<B> answer(
            Consistency consistency,
            View view,
            Function<Tables, Optional<Current<V>>> query,
            Unknown unknown,
            Function<V, B> body) {
        unknown.checkCaller();
        ViewAt<Optional<Current<V>>> read = read(consistency, view, query);
        return read.found()
                .<ResponseEntity<B>>map(current -> {
                    byte[] content = json.writeValueAsBytes(body.apply(current.view()));
                    String digest = DigestUtils.md5DigestAsHex(content).substring(0, DIGITS);
                    return Problem.insteadOf(answer(read.position(), "%s-%s".formatted(current.asOf(), digest))
                            .body(content));
                })
                .orElseGet(() -> answer(read.position(), unknown));
    }

    /*
     * The content is serialized once: its digest is a part of the entity tag, and the same bytes are sent. So the tag
     * does not match after a failover or a restore, when the same position can have other content. Spring answers 304
     * if the client has this content.
     */
    private static ResponseEntity.BodyBuilder answer(Position position, String tag) {
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_JSON)
                .eTag("\"%s\"".formatted(tag))
                .header(Headers.POSITION, position.toString());
    }

    private static <B> ResponseEntity<B> answer(Position position, Unknown unknown) {
        ResponseEntity<B> answer = unknown.response();
        return ResponseEntity.status(answer.getStatusCode())
                .headers(answer.getHeaders())
                .header(Headers.POSITION, position.toString())
                .body(answer.getBody());
    }

    /**
     * The body of the answer to a command that has been carried out: the entry of a view, as of the command's last
     * event or a later one, and of a repetition as of now. Null if the view does not have it in time: then the answer
     * has no body.
     */
    <V, B> @Nullable B current(
            View view,
            Accepted<EnrollmentEvent, ?> accepted,
            Function<Tables, Optional<Current<V>>> query,
            Function<V, B> body) {
        try {
            ViewAt<Optional<Current<V>>> read = accepted.repeated()
                    ? reader.readLatest(view, query)
                    : reader.read(view, accepted.position(), query);
            return read.found().map(Current::view).map(body).orElse(null);
        } catch (ViewBehindException | EventStoreException unreadable) {
            return null;
        }
    }

    /**
     * As {@link #current}, for a body that takes searches: they see the command's last event.
     *
     * @return null if a view does not have the event in time, or the search takes too long
     */
    <B> @Nullable B afterwards(Accepted<EnrollmentEvent, ?> accepted, Function<Clashes.Searches, B> body) {
        try {
            return body.apply(new SearchesAt(reader, accepted.position()));
        } catch (ViewBehindException | EventStoreException unreadable) {
            return null;
        }
    }

    private record SearchesAt(ViewReader reader, Position position) implements Clashes.Searches {
        @Override
        public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
            return reader.search(view, position, query);
        }
    }

    /**
     * The body of a page.
     *
     * @param isEmpty whether the page has no entries
     * @param next the cursor of the next page; empty if this is the last page
     */
    record PageBody<B>(B body, boolean isEmpty, Optional<String> next) {

        static <E, B> PageBody<B> of(List<E> entries, Function<List<E>, B> body, Optional<String> next) {
            return new PageBody<>(body.apply(entries), entries.isEmpty(), next);
        }
    }

    /** Answers with a page of a list of all courses or students. */
    <P, B> ResponseEntity<B> page(View view, Function<SearchedTables, P> query, Function<P, PageBody<B>> body) {
        return page(search(view, query), body);
    }

    <P, B> ResponseEntity<B> page(ViewAt<P> read, Function<P, PageBody<B>> body) {
        return answer(read.position(), body.apply(read.found()));
    }

    private <B> ResponseEntity<B> answer(Position position, PageBody<B> page) {
        byte[] content = json.writeValueAsBytes(page.body());
        ResponseEntity.BodyBuilder answer = answer(position, Pages.entityTag(content, page.next()));
        page.next().ifPresent(next -> answer.header(HttpHeaders.LINK, Pages.link(request, next)));
        return Problem.insteadOf(answer.body(content));
    }

    /** The course or the student to which a list belongs. */
    record Owner(View view, Function<Tables, Boolean> exists, Unknown unknown) {}

    /**
     * The answer of a list that belongs to a course that does not exist.
     *
     * @return empty if there is the course
     */
    <B> Optional<ResponseEntity<B>> unlessExists(Owner owner) {
        owner.unknown().checkCaller();
        ViewAt<Boolean> known = read(owner.view(), owner.exists());
        return known.found() ? Optional.empty() : Optional.of(answer(known.position(), owner.unknown()));
    }

    Owner course(CourseId course) {
        return new Owner(courses, tables -> CoursesView.find(tables, course).isPresent(), Unknown.course(course));
    }

    Owner student(StudentId student) {
        return new Owner(students, tables -> StudentsView.find(tables, student).isPresent(), Unknown.student(student));
    }

    /** Answers with a page of a list that belongs to a course or a student, or with 404 if there is no such owner. */
    <P, B> ResponseEntity<B> page(
            Owner owner, Consistency consistency, View view, Function<Tables, P> query, Function<P, PageBody<B>> body) {
        owner.unknown().checkCaller();
        ViewAt<P> read = read(consistency, view, query);
        PageBody<B> page = body.apply(read.found());
        if (page.isEmpty()) {
            // Who has entries exists, so only an empty page needs a query for its owner.
            ViewAt<Boolean> known = read(consistency, owner.view(), owner.exists());
            if (!known.found()) {
                return answer(known.position(), owner.unknown());
            }
        }
        return answer(read.position(), page);
    }
}

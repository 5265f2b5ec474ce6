package dev.registrar.console.live;

import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.Position;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** The live seats of the courses on a page. */
@Controller
final class SeatsController {
    static final String PATH = "/console/live/seats";
    static final int MOST_COURSES = 200;

    private static final Pattern POSITION = Pattern.compile("\\d{1,18}");
    private static final Pattern COURSE = Pattern.compile(CourseId.PATTERN);

    private final ConsoleStreams streams;
    private final SeatsBroadcast broadcast;

    SeatsController(ConsoleStreams streams, SeatsBroadcast broadcast) {
        this.streams = streams;
        this.broadcast = broadcast;
    }

    /**
     * Sends an event {@code seats-…} with the id of the course, whose data is a fragment, whenever its seats have
     * changed.
     *
     * @param course the ids of the courses that the page shows; all if absent
     * @param after the position at which the page shows the seats
     */
    @GetMapping(PATH)
    void seats(
            @RequestParam(required = false) @Nullable List<String> course,
            @RequestParam(required = false) @Nullable String after,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response) {
        Set<String> shown = course == null ? Set.of() : Set.copyOf(course);
        if (shown.size() > MOST_COURSES) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, "A page may follow up to %d courses".formatted(MOST_COURSES));
        }
        for (String id : shown) {
            if (!COURSE.matcher(id).matches()) {
                throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "This is not the id of a course");
            }
        }
        Position known = position(lastEventId == null ? after : lastEventId);
        streams.open(request, response, () -> broadcast.open(shown, known));
    }

    /* A value that no page sends counts as absent. */
    private static @Nullable Position position(@Nullable String given) {
        return given != null && POSITION.matcher(given).matches() ? Position.of(Long.parseLong(given)) : null;
    }
}

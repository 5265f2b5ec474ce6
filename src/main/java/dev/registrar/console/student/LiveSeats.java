package dev.registrar.console.student;

import dev.registrar.eventstore.Position;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/** How an open page follows the seats of the courses that it shows. */
final class LiveSeats {
    private static final String PATH = "/console/live/seats";
    /** The stream's event after which a page has to be loaded again. */
    private static final String MISSED = "sse:missed";
    /** Several changes within this time load a part of the page once. */
    private static final String DELAY = "delay:300ms";

    private LiveSeats() {}

    /**
     * The address of the stream; null if the page shows no course.
     *
     * @param shown at most {@value StudentReads#MOST}
     * @param at the position at which the page shows the seats
     */
    static @Nullable String address(List<ShownCourse> shown, Position at) {
        return shown.isEmpty()
                ? null
                : UriComponentsBuilder.fromPath(PATH)
                        .queryParam("after", at.toString())
                        .queryParam(
                                "course",
                                shown.stream()
                                        .map(course -> course.course().id())
                                        .toList())
                        .encode()
                        .toUriString();
    }

    /** The events after which a part of the page is loaded again; null if the page shows no course. */
    static @Nullable String changes(List<ShownCourse> shown) {
        return shown.isEmpty()
                ? null
                : Stream.concat(
                                shown.stream()
                                        .map(course ->
                                                "sse:seats-" + course.course().id()),
                                Stream.of(MISSED))
                        .map(event -> event + " " + DELAY)
                        .collect(Collectors.joining(", "));
    }
}

package dev.registrar.console.student;

import dev.registrar.eventstore.Position;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriComponentsBuilder;

/** How an open page follows the seats of the courses that it shows. */
final class LiveSeats {
    private static final String PATH = "/console/live/seats";

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
}

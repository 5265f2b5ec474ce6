package dev.registrar.imports;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.imports.CourseFile.CourseLine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** A reader of small files of courses. */
abstract class CourseFileFixture {
    static final int MAX_COURSES = 5;
    static final int MAX_ERRORS = 3;
    static final EnrollmentWindow SEPTEMBER =
            new EnrollmentWindow(Instant.parse("2026-09-01T08:00:00Z"), Instant.parse("2026-10-01T00:00:00Z"));
    final CourseFileReader reader = new CourseFileReader(
            new ImportSettings(MAX_COURSES, DataSize.ofMegabytes(4), 4, 4, Duration.ofMinutes(1), MAX_ERRORS, 100));

    CourseFile csv(String text) {
        return read(text, FileFormat.CSV);
    }

    /* Written with single quotes. */
    CourseFile ndjson(String text) {
        return read(text.replace('\'', '"'), FileFormat.NDJSON);
    }

    CourseFile read(String text, FileFormat format) {
        return reader.read(text.getBytes(StandardCharsets.UTF_8), format);
    }

    static String courses(int number, FileFormat format) {
        return switch (format) {
            case CSV ->
                IntStream.range(0, number)
                        .mapToObj("maths-%s,Mathematics,30\n"::formatted)
                        .collect(Collectors.joining("", "id,title,capacity\n", ""));
            case NDJSON ->
                IntStream.range(0, number)
                        .mapToObj(i -> object("maths-" + i).replace('\'', '"') + "\n")
                        .collect(Collectors.joining());
        };
    }

    static String object(String id) {
        return "{'id': '%s', 'title': 'Mathematics', 'capacity': 30}".formatted(id);
    }

    static CourseLine course(long line, String id, String title, int seats, EnrollmentWindow window) {
        return new CourseLine(
                line, new DefineCourse(new CourseId(id), new CourseTitle(title), new Capacity(seats), window));
    }

    static LineError error(long line, @Nullable String field, String detail) {
        return new LineError(line, field, detail);
    }
}

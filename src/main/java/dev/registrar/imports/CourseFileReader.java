package dev.registrar.imports;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.NamedCsvRecord;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.imports.CourseFile.CourseLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a file of courses and finds all that is wrong with it, line by line. */
final class CourseFileReader {
    private static final Set<String> FIELDS = Set.of("id", "title", "capacity", "opensAt", "closesAt");
    private static final Set<String> REQUIRED = Set.of("id", "title", "capacity");

    private final JsonMapper json = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final int maxCourses;
    private final int maxErrors;

    CourseFileReader(ImportSettings settings) {
        this.maxCourses = settings.maxCourses();
        this.maxErrors = settings.maxErrors();
    }

    CourseFile read(byte[] file, FileFormat format) {
        Reading reading = new Reading();
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(file))
                    .toString();
            switch (format) {
                case CSV -> readCsv(text, reading);
                case NDJSON -> readNdjson(text, reading);
            }
            if (reading.lines == 0 && reading.errorCount == 0) {
                reading.error(1, null, "The file holds no course");
            }
        } catch (CharacterCodingException malformed) {
            reading.error(1, null, "The file is not in UTF-8");
        }
        return reading.done();
    }

    /* After what CSV cannot make sense of, nobody knows where the next line begins: it is the last error. */
    private static void readCsv(String text, Reading reading) {
        long line = 1;
        try (CsvReader<NamedCsvRecord> rows = CsvReader.builder()
                .allowMissingFields(false)
                .allowExtraFields(false)
                .ofNamedCsvRecord(text)) {
            for (NamedCsvRecord row : rows) {
                line = row.getStartingLineNumber();
                if (reading.isFull()) {
                    return;
                }
                Map<String, @Nullable String> fields = new LinkedHashMap<>();
                row.getFieldsAsMap().forEach((name, value) -> fields.put(name, value.isBlank() ? null : value));
                reading.line(line, fields);
            }
        } catch (CsvParseException malformed) {
            Throwable reason = malformed.getCause() == null ? malformed : malformed.getCause();
            reading.error(line, null, "In or after this line: " + reason.getMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private void readNdjson(String text, Reading reading) {
        long number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            if (reading.isFull()) {
                return;
            }
            if (!line.isBlank()) {
                readObject(number, line, reading);
            }
        }
    }

    private void readObject(long number, String line, Reading reading) {
        try {
            JsonNode object = json.readTree(line);
            if (!object.isObject()) {
                reading.lines++;
                reading.error(number, null, "is not a JSON object");
                return;
            }
            Map<String, @Nullable String> fields = new LinkedHashMap<>();
            object.properties()
                    .forEach(field -> fields.put(
                            field.getKey(),
                            field.getValue().isNull()
                                    ? null
                                    : field.getValue().isString()
                                            ? field.getValue().asString()
                                            : field.getValue().toString()));
            reading.line(number, fields);
        } catch (JacksonException malformed) {
            reading.lines++;
            reading.error(number, null, malformed.getOriginalMessage());
        }
    }

    /** What has been read so far. */
    private final class Reading {
        private final List<CourseLine> courses = new ArrayList<>();
        private final List<LineError> errors = new ArrayList<>();
        private final Map<String, Long> lineOfId = new HashMap<>();
        private int errorCount;
        private int lines;

        /* One line more than may be, so that the last error tells of it. */
        boolean isFull() {
            return lines > maxCourses;
        }

        void line(long number, Map<String, @Nullable String> fields) {
            lines++;
            if (isFull()) {
                error(number, null, "A file has at most %d courses".formatted(maxCourses));
                return;
            }
            int errorsBefore = errorCount;
            for (String name : fields.keySet()) {
                if (!FIELDS.contains(name)) {
                    error(number, name, "is not a field of a course");
                }
            }
            for (String name : REQUIRED) {
                if (fields.get(name) == null) {
                    error(number, name, "is missing");
                }
            }
            CourseId id = value(number, "id", fields, CourseId::new);
            CourseTitle title = value(number, "title", fields, CourseTitle::new);
            Capacity capacity = value(number, "capacity", fields, text -> new Capacity(Integer.parseInt(text)));
            Instant opensAt = value(number, "opensAt", fields, Instant::parse);
            Instant closesAt = value(number, "closesAt", fields, Instant::parse);
            EnrollmentWindow window =
                    value(number, "closesAt", fields, text -> new EnrollmentWindow(opensAt, closesAt));
            if (id != null) {
                Long earlier = lineOfId.putIfAbsent(id.value(), number);
                if (earlier != null) {
                    error(number, "id", "stands in line %d, too".formatted(earlier));
                }
            }
            if (errorCount == errorsBefore && id != null && title != null && capacity != null) {
                courses.add(new CourseLine(
                        number,
                        new DefineCourse(
                                id, title, capacity, window == null ? new EnrollmentWindow(opensAt, null) : window)));
            }
        }

        private <T> @Nullable T value(
                long number, String name, Map<String, @Nullable String> fields, Function<String, T> parse) {
            String text = fields.get(name);
            if (text == null) {
                return null;
            }
            try {
                return parse.apply(text);
            } catch (NumberFormatException notANumber) {
                error(number, name, "is not a whole number: '%s'".formatted(text));
            } catch (DateTimeException notATime) {
                error(number, name, "is not a time such as 2026-09-01T08:00:00Z: '%s'".formatted(text));
            } catch (IllegalArgumentException refused) {
                error(number, name, String.valueOf(refused.getMessage()));
            }
            return null;
        }

        void error(long number, @Nullable String field, String detail) {
            errorCount++;
            if (errors.size() < maxErrors) {
                errors.add(new LineError(number, field, detail));
            }
        }

        CourseFile done() {
            return new CourseFile(
                    errorCount == 0 ? List.copyOf(courses) : List.of(),
                    List.copyOf(errors),
                    errorCount,
                    Math.min(lines, maxCourses));
        }
    }
}

package dev.registrar.imports;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.Rfc3339;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.imports.CourseFile.CourseLine;
import dev.registrar.imports.CourseFile.NamedLine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses a file of courses and collects the errors of all its lines. */
final class CourseFileReader {
    static final Set<String> FIELDS =
            Set.of("id", "title", "capacity", "opensAt", "closesAt", "prerequisites", "times");
    private static final List<String> REQUIRED = List.of("id", "title", "capacity");
    private static final Set<String> MEETING = Set.of("day", "from", "to");
    private static final Pattern PART_OF_MEETING = Pattern.compile("[A-Za-z0-9:]+");
    private static final Pattern NUMBER = Pattern.compile("(-?[0-9]{1,10})(\\.00?)?");
    private static final Pattern SEPARATED = Pattern.compile("[0-9]+([.,'\\s\\u00A0\\u202F][0-9]+){1,9}");
    private static final DateTimeFormatter WITHOUT_OFFSET = DateTimeFormatter.ofPattern(
                    "[d.M.uuuu][uuuu-MM-dd][ H:mm[:ss]]['T'H:mm[:ss]]", Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);
    private static final int LONGEST_BEGINNING = 1_000;
    private static final String GUESSED =
            "The file is not in UTF-8 and was read as Windows-1252; check the letters with accents";
    private static final String ONE_CELL =
            "The whole row is one cell, such as one in quotes; split its text into columns, and save the file again";
    private static final String UNKNOWN =
            "is unknown; a course has id, title, capacity, opensAt, closesAt, prerequisites and times";

    /* Cannot occur in UTF-8. Appended to a CSV file, it is a record of its own unless a quoted field is still open. */
    private static final String END = "\uDC00";

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
        FileText read = FileText.of(file);
        String fault = read.fault() == null ? fault(read, format) : read.fault();
        if (fault != null) {
            reading.error(1, null, fault);
            return reading.done(null);
        }
        switch (format) {
            case CSV -> readCsv(read.text(), reading);
            case NDJSON -> readNdjson(read.text(), reading);
        }
        if (reading.lines == 0 && reading.errorCount == 0) {
            reading.error(1, null, "The file contains no course");
        }
        return reading.done(read.isUnicode() ? null : GUESSED);
    }

    private static @Nullable String fault(FileText file, FileFormat format) {
        String beginning = file.text()
                .substring(0, Math.min(file.text().length(), LONGEST_BEGINNING))
                .stripLeading();
        return switch (format) {
            case NDJSON -> file.charset().equals(StandardCharsets.UTF_8) ? null : "The file is not in UTF-8";
            case CSV -> {
                if (file.text().lastIndexOf('\0', 1) >= 0) {
                    yield "This looks like UTF-16 without a byte order mark; save it as CSV in UTF-8";
                } else if (beginning.startsWith("<")) {
                    yield "This is HTML or XML; save it as CSV";
                } else if (beginning.startsWith("{") || beginning.startsWith("[")) {
                    yield "This is JSON; send it as application/x-ndjson, one object a line";
                } else {
                    yield null;
                }
            }
        };
    }

    /* After malformed CSV the start of the next record is unknown, so that error is the last one. */
    private static void readCsv(String text, Reading reading) {
        long line = 1;
        CsvSeparator separator = CsvSeparator.of(text);
        if (separator.fault() != null) {
            reading.error(line, null, separator.fault());
            return;
        }
        CsvHeader header = null;
        boolean isBeforeHeader = separator.hasOwnLine();
        try (CsvReader<CsvRecord> rows = CsvReader.builder()
                .fieldSeparator(separator.character())
                .allowMissingFields(true)
                .allowExtraFields(true)
                .ofCsvRecord(text + "\n" + END)) {
            for (CsvRecord row : rows) {
                line = row.getStartingLineNumber();
                List<String> values = row.getFields();
                if (values.getLast().endsWith(END)) {
                    if (!values.equals(List.of(END))) {
                        reading.error(line, null, "A quoted field begins here but does not end");
                    }
                    return;
                } else if (CsvHeader.isBlank(values)) {
                    continue;
                } else if (isBeforeHeader) {
                    isBeforeHeader = false;
                } else if (header != null) {
                    readRow(line, header, values, reading);
                } else {
                    header = new CsvHeader(values);
                    if (!reading.isHeader(line, header.columns())) {
                        return;
                    }
                }
                if (reading.isFull()) {
                    return;
                }
            }
        } catch (CsvParseException malformed) {
            Throwable reason = malformed.getCause() == null ? malformed : malformed.getCause();
            reading.error(line, null, "In or after this line: " + reason.getMessage());
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void readRow(long line, CsvHeader header, List<String> values, Reading reading) {
        if (!reading.hasRoomFor(line)) {
            return;
        }
        String fault = header.fault(values);
        if (fault == null) {
            reading.course(line, header.fields(values));
        } else {
            reading.error(line, null, fault);
        }
    }

    private void readNdjson(String text, Reading reading) {
        long number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (!line.isBlank()) {
                readObject(number, line, reading);
            }
            if (reading.isFull()) {
                return;
            }
        }
    }

    private void readObject(long number, String line, Reading reading) {
        if (!reading.hasRoomFor(number)) {
            return;
        }
        try {
            JsonNode object = json.readTree(line);
            if (object.isObject()) {
                reading.course(number, fields(number, object, reading));
            } else {
                reading.error(number, null, "is not a JSON object");
            }
        } catch (JacksonException malformed) {
            reading.error(
                    number,
                    null,
                    malformed.getLocation() == null
                            ? "is not JSON"
                            : "is not JSON, or repeats a field, at column %s"
                                    .formatted(malformed.getLocation().getColumnNr()));
        }
    }

    /* As strict as the rest of the API: a number is not accepted as a string, nor a string as a number. */
    private static Map<String, @Nullable String> fields(long number, JsonNode object, Reading reading) {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            if (!FIELDS.contains(field.getKey())) {
                reading.error(number, field.getKey(), UNKNOWN);
            } else if (isOfType(field.getKey(), value)) {
                fields.put(field.getKey(), text(field.getKey(), value));
            } else if (!value.isNull()) {
                reading.error(number, field.getKey(), "has the wrong type: %s".formatted(value));
                fields.put(field.getKey(), null);
            }
        }
        return fields;
    }

    private static boolean isOfType(String field, JsonNode value) {
        return switch (field) {
            case "capacity" -> value.canConvertToExactIntegral();
            case "prerequisites" -> value.isArray() && value.valueStream().allMatch(CourseFileReader::isOneId);
            case "times" -> value.isArray() && value.valueStream().allMatch(CourseFileReader::isMeeting);
            default -> value.isString();
        };
    }

    /* In the text of the field, as in CSV, a space separates two ids. */
    private static boolean isOneId(JsonNode value) {
        return value.isString()
                && !value.asString().isBlank()
                && value.asString().indexOf(' ') < 0;
    }

    private static boolean isMeeting(JsonNode value) {
        return Set.copyOf(value.propertyNames()).equals(MEETING)
                && value.valueStream()
                        .allMatch(part -> part.isString()
                                && PART_OF_MEETING.matcher(part.asString()).matches());
    }

    private static String text(String field, JsonNode value) {
        return switch (field) {
            case "prerequisites" -> value.valueStream().map(JsonNode::asString).collect(Collectors.joining(" "));
            case "times" -> value.valueStream().map(CourseFileReader::meeting).collect(Collectors.joining(";"));
            default -> value.asString();
        };
    }

    private static String meeting(JsonNode value) {
        return "%s %s-%s"
                .formatted(
                        value.path("day").asString(),
                        value.path("from").asString(),
                        value.path("to").asString());
    }

    private static Prerequisites prerequisites(String text) {
        return text.isBlank()
                ? Prerequisites.NONE
                : Prerequisites.of(List.of(text.strip().split(" +")));
    }

    private static Instant end(String text) {
        return EnrollmentWindow.end(Rfc3339.instant(text));
    }

    /** The courses and errors found so far. */
    private final class Reading {
        private final List<CourseLine> courses = new ArrayList<>();
        private final List<NamedLine> named = new ArrayList<>();
        private final List<LineError> errors = new ArrayList<>();
        private final Map<String, Long> lineOfId = new HashMap<>();
        private boolean allRead = true;
        private int errorCount;
        private int lines;

        /* Reading stops one line after the limit, so that the last error reports the limit. */
        boolean isFull() {
            return lines > maxCourses;
        }

        boolean hasRoomFor(long number) {
            lines++;
            if (isFull()) {
                error(number, null, "A file has at most %s courses".formatted(maxCourses));
            }
            return !isFull();
        }

        boolean isHeader(long number, List<String> names) {
            if (names.size() == 1 && !CsvSeparator.in(names.getFirst()).isEmpty()) {
                error(number, null, ONE_CELL);
                return false;
            }
            Set<String> known = new HashSet<>();
            for (String name : names) {
                if (!FIELDS.contains(name) && !CsvHeader.OF_LISTS.contains(name)) {
                    error(number, name, UNKNOWN);
                } else if (!known.add(name)) {
                    error(number, name, "occurs twice in the header");
                }
            }
            for (String name : REQUIRED) {
                if (!known.contains(name)) {
                    error(number, name, "is missing in the header");
                }
            }
            return errorCount == 0;
        }

        /* A field that is present without a value is already reported. */
        void course(long number, Map<String, @Nullable String> fields) {
            for (String name : REQUIRED) {
                if (!fields.containsKey(name)) {
                    error(number, name, "is missing");
                }
            }
            CourseId id = value(number, "id", fields, CourseId::new);
            CourseTitle title = value(number, "title", fields, CourseTitle::new);
            Capacity capacity = value(number, "capacity", fields, text -> new Capacity(seats(text)));
            Instant opensAt = value(number, "opensAt", fields, CourseFileReader::end);
            Instant closesAt = value(number, "closesAt", fields, CourseFileReader::end);
            EnrollmentWindow window =
                    value(number, "closesAt", fields, text -> new EnrollmentWindow(opensAt, closesAt));
            Prerequisites given = value(number, "prerequisites", fields, CourseFileReader::prerequisites);
            Prerequisites prerequisites = given == null ? Prerequisites.NONE : given;
            WeeklyTimes times = value(number, "times", fields, WeeklyTimes::of);
            allRead &= fields.get("id") != null;
            if (id != null) {
                Long earlier = lineOfId.putIfAbsent(id.value(), number);
                if (earlier != null) {
                    error(number, "id", "is also the id in line %s".formatted(earlier));
                } else {
                    named.add(new NamedLine(number, id, prerequisites));
                }
            }
            if (errorCount == 0 && id != null && title != null && capacity != null) {
                courses.add(new CourseLine(
                        number,
                        new DefineCourse(
                                id,
                                title,
                                capacity,
                                window == null ? new EnrollmentWindow(opensAt, null) : window,
                                prerequisites,
                                times == null ? WeeklyTimes.NONE : times)));
            }
        }

        /*
         * The JDK also accepts digits of other scripts, and a plus sign. Programs that keep numbers with a fraction write
         * 30 as 30.0; 1.000 is not read, because it is a thousand in some countries.
         */
        private static int seats(String text) {
            Matcher number = NUMBER.matcher(text);
            if (!number.matches()) {
                throw new NumberFormatException("A number has ASCII digits only");
            }
            return Integer.parseInt(number.group(1));
        }

        private <T> @Nullable T value(
                long number, String name, Map<String, @Nullable String> fields, Function<String, T> parse) {
            String text = fields.get(name);
            if (text == null) {
                return null;
            }
            if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
                error(number, name, "has an unpaired surrogate");
                return null;
            }
            try {
                return parse.apply(text);
            } catch (NumberFormatException notANumber) {
                error(number, name, "is not a number of seats: '%s'%s".formatted(text, hint(text)));
            } catch (DateTimeException notATime) {
                error(
                        number,
                        name,
                        "is not a time such as 2026-09-01T08:00:00Z: '%s'%s".formatted(text, offsetHint(text)));
            } catch (IllegalArgumentException refused) {
                error(number, name, String.valueOf(refused.getMessage()));
            }
            return null;
        }

        private static String hint(String text) {
            return SEPARATED.matcher(text).matches() ? "; write a whole number without separators, such as 1000" : "";
        }

        /* A spreadsheet's time has no offset, and one that is guessed opens a course at the wrong hour. */
        private static String offsetHint(String text) {
            try {
                TemporalAccessor time = WITHOUT_OFFSET.parseBest(text.strip(), LocalDateTime::from, LocalDate::from);
                LocalDateTime local = time instanceof LocalDate day ? day.atStartOfDay() : LocalDateTime.from(time);
                return "; write %s and its offset from UTC, such as +01:00, or Z for UTC"
                        .formatted(DateTimeFormatter.ISO_LOCAL_DATE_TIME.format(local));
            } catch (DateTimeException other) {
                return "";
            }
        }

        void error(long number, @Nullable String field, String detail) {
            errorCount++;
            // Without a field, the error is that of a whole line, or of the rest of the file.
            allRead &= field != null;
            if (errors.size() < maxErrors) {
                errors.add(new LineError(number, field, detail));
            }
        }

        private void findCycles() {
            Set<Long> inOrder = DefinitionOrder.rounds(courses).stream()
                    .flatMap(List::stream)
                    .map(CourseLine::number)
                    .collect(Collectors.toSet());
            courses.stream()
                    .filter(line -> !inOrder.contains(line.number()))
                    .forEach(line -> error(
                            line.number(),
                            "prerequisites",
                            "require '%s' itself, or a course that requires itself"
                                    .formatted(line.command().course())));
        }

        CourseFile done(@Nullable String note) {
            if (errorCount == 0) {
                findCycles();
            }
            return new CourseFile(
                    errorCount == 0 ? List.copyOf(courses) : List.of(),
                    List.copyOf(named),
                    allRead,
                    List.copyOf(errors),
                    errorCount,
                    Math.min(lines, maxCourses),
                    note);
        }
    }
}

package dev.registrar.imports;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The first row of a CSV file: which column has which field of a course. Case, spaces, hyphens and underscores in a
 * name do not matter, and "course" may be in front of it. Columns without a name at the end count for nothing. Those at
 * the beginning are an index of rows, as data frames are written.
 */
final class CsvHeader {
    /** The columns that a list of courses has besides the fields of a course. They are not imported. */
    static final Set<String> OF_LISTS = Set.of("enrolled", "waiting", "closed");

    private static final Map<String, String> FIELDS = CourseFileReader.FIELDS.stream()
            .collect(Collectors.toMap(field -> field.toLowerCase(Locale.ROOT), field -> field));
    private static final Pattern IGNORED = Pattern.compile("[\\s\\u00A0_-]+");
    private static final Pattern COURSE = Pattern.compile("^course(?=.)");
    private static final Pattern INDEX_NAME = Pattern.compile("\\s*|Unnamed: 0");
    private static final Pattern INDEX = Pattern.compile("[0-9]{1,10}");

    /* Data frames write a time with a space, where RFC 3339 has a T. */
    private static final Pattern SPACED_TIME = Pattern.compile(
            "^([0-9]{4}-[0-9]{2}-[0-9]{2}) ([0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2}))$");

    private final int indexes;
    private final List<String> columns;

    CsvHeader(List<String> names) {
        this.indexes = (int) names.stream()
                .takeWhile(name -> INDEX_NAME.matcher(name).matches())
                .count();
        this.columns = IntStream.range(indexes, width(names))
                .mapToObj(i -> column(names.get(i)))
                .toList();
    }

    /* The number of columns up to the last one that is not blank. */
    private static int width(List<String> values) {
        int width = values.size();
        while (width > 0 && values.get(width - 1).isBlank()) {
            width--;
        }
        return width;
    }

    private static String column(String name) {
        String plain = IGNORED.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
        String known = COURSE.matcher(plain).replaceFirst("");
        return OF_LISTS.contains(known) ? known : FIELDS.getOrDefault(known, name.strip());
    }

    static boolean isBlank(List<String> values) {
        return width(values) == 0;
    }

    /** The names of the columns; one that is not known is as in the file. */
    List<String> columns() {
        return columns;
    }

    /** What is wrong with a row as a whole; null if nothing is. */
    @Nullable String fault(List<String> values) {
        int expected = indexes + columns.size();
        if (values.size() < expected || width(values) > expected) {
            return "has %s fields, but the header has %s".formatted(values.size(), expected);
        }
        return values.stream()
                .limit(indexes)
                .filter(value -> !INDEX.matcher(value).matches())
                .findFirst()
                .map("has '%s' in a column without a name; name the column, or leave it out"::formatted)
                .orElse(null);
    }

    /** The fields of a row that have a value. Spaces around a value that cannot contain spaces are left out. */
    Map<String, @Nullable String> fields(List<String> values) {
        Map<String, @Nullable String> fields = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            String column = columns.get(i);
            String value = values.get(indexes + i);
            if (!value.isBlank() && !OF_LISTS.contains(column)) {
                String text = SpreadsheetText.text(value);
                fields.put(column, field(column, text));
            }
        }
        return fields;
    }

    private static String field(String column, String text) {
        return switch (column) {
            case "title" -> text;
            case "opensAt", "closesAt" -> SPACED_TIME.matcher(text.strip()).replaceFirst("$1T$2");
            default -> text.strip();
        };
    }
}

package dev.registrar.imports;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The character between the columns of a CSV file. A line such as {@code sep=;} at the beginning names it; otherwise it
 * is the only one of comma, semicolon and tab that the header has.
 *
 * @param hasOwnLine whether a line before the header names it
 * @param fault why the character is not known; null if it is
 */
record CsvSeparator(
        char character, boolean hasOwnLine, @Nullable String fault) {
    private static final List<Character> KNOWN = List.of(',', ';', '\t');
    private static final Pattern OWN_LINE = Pattern.compile("(?i)\"?sep=(.*?)\"?");
    private static final Pattern BLANK = Pattern.compile("[\\s,;]*");

    static CsvSeparator of(String text) {
        Optional<String> first =
                text.lines().filter(line -> !BLANK.matcher(line).matches()).findFirst();
        if (first.isEmpty()) {
            return new CsvSeparator(',', false, null);
        }
        Matcher own = OWN_LINE.matcher(first.get());
        return own.matches() ? named(own.group(1)) : ofHeader(first.get());
    }

    /** The characters of a text that can be between columns. */
    static List<Character> in(String text) {
        return KNOWN.stream().filter(each -> text.indexOf(each) >= 0).toList();
    }

    private static CsvSeparator named(String name) {
        return name.length() == 1 && KNOWN.contains(name.charAt(0))
                ? new CsvSeparator(name.charAt(0), true, null)
                : new CsvSeparator(
                        ',',
                        true,
                        "The line sep= must name a comma, a semicolon or a tab, but has '%s'".formatted(name));
    }

    private static CsvSeparator ofHeader(String header) {
        List<Character> found = in(header);
        return found.size() <= 1
                ? new CsvSeparator(found.isEmpty() ? ',' : found.getFirst(), false, null)
                : new CsvSeparator(
                        ',',
                        false,
                        "The header has more than one of comma, semicolon and tab; use one of them between the columns");
    }
}

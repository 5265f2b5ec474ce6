package dev.registrar.benchmarks.report;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The id of a row. Its text is the row's name, its parameters in alphabetical order and its callers:
 * {@code append-if/no-conflict dataset=tiny events=1 callers=10}.
 *
 * @param row the group and the name, as in {@code append-if/no-conflict}
 * @param callers the number of concurrent callers, at least 1
 */
public record RowId(String row, SortedMap<String, String> parameters, int callers) implements Comparable<RowId> {
    private static final Pattern ROW = Pattern.compile("[a-z-]+/[a-z0-9-]+");
    private static final String CALLERS = "callers";

    /** Values with an order of their own. */
    private static final List<String> SIZES = List.of("tiny", "small", "medium", "large");

    private static final Comparator<String> VALUES =
            Comparator.<String>comparingLong(RowId::rank).thenComparing(Comparator.naturalOrder());

    private static final Comparator<RowId> ORDER = Comparator.comparing(RowId::row)
            .thenComparing(RowId::parameters, RowId::compareParameters)
            .thenComparingInt(RowId::callers);

    public RowId {
        if (!ROW.matcher(row).matches()) {
            throw new IllegalArgumentException("A row is a group, a slash and a name but was '%s'".formatted(row));
        }
        if (callers < 1) {
            throw new IllegalArgumentException("A row has at least one caller but '%s' had %s".formatted(row, callers));
        }
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /**
     * Parses the text that {@link #toString} returns.
     *
     * @throws IllegalArgumentException if the text is not an id, or its parameters are not in order
     */
    public static RowId parse(String text) {
        List<String> words = List.of(text.split(" "));
        SortedMap<String, String> values = new TreeMap<>();
        for (String word : words.subList(1, words.size())) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("Expected name=value but was '%s' in '%s'".formatted(word, text));
            }
            values.put(word.substring(0, equals), word.substring(equals + 1));
        }
        String callers = values.remove(CALLERS);
        if (callers == null) {
            throw new IllegalArgumentException("No callers in '%s'".formatted(text));
        }
        RowId id = new RowId(words.getFirst(), values, Integer.parseInt(callers));
        if (!id.toString().equals(text)) {
            throw new IllegalArgumentException("Expected '%s' but was '%s'".formatted(id, text));
        }
        return id;
    }

    /** Returns the group: {@code append-if} of {@code append-if/no-conflict}. */
    public String group() {
        return row.substring(0, row.indexOf('/'));
    }

    String parameterText() {
        return parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining(" "));
    }

    /** Compares by row, then by parameters with numbers and sizes in their own order, then by callers. */
    @Override
    public int compareTo(RowId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        String callersText = CALLERS + "=" + callers;
        return parameters.isEmpty() ? row + " " + callersText : row + " " + parameterText() + " " + callersText;
    }

    private static int compareParameters(SortedMap<String, String> left, SortedMap<String, String> right) {
        int names = Arrays.compare(
                left.keySet().toArray(String[]::new), right.keySet().toArray(String[]::new));
        return names != 0
                ? names
                : Arrays.compare(
                        left.values().toArray(String[]::new), right.values().toArray(String[]::new), VALUES);
    }

    private static long rank(String value) {
        boolean number =
                !value.isEmpty() && value.length() < 18 && value.chars().allMatch(Character::isDigit);
        return number ? Long.parseLong(value) : SIZES.contains(value) ? SIZES.indexOf(value) : -1;
    }
}

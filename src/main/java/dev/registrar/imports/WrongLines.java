package dev.registrar.imports;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The text of some lines of a file, within bounds, so that a person sees what to correct. */
final class WrongLines {
    /** Maximum number of characters of one line. */
    static final int LONGEST = 500;

    /** Maximum number of characters of all lines. */
    static final int MOST = 16_000;

    private WrongLines() {}

    /** The lines by number, counted from 1, in their order. */
    static Map<Long, String> of(byte[] file, Set<Long> numbers) {
        Map<Long, String> found = new LinkedHashMap<>();
        int characters = 0;
        long number = 0;
        for (String line : (Iterable<String>) text(file).lines()::iterator) {
            number++;
            if (numbers.contains(number)) {
                String shown = cut(line);
                characters += shown.length();
                if (characters > MOST) {
                    break;
                }
                found.put(number, shown);
            }
        }
        return Collections.unmodifiableMap(found);
    }

    /* Malformed bytes become U+FFFD, which shows where they are. */
    private static String text(byte[] file) {
        FileText read = FileText.of(file);
        return read.fault() == null ? read.text() : new String(file, StandardCharsets.UTF_8);
    }

    private static String cut(String line) {
        int end = line.length() <= LONGEST ? line.length() : LONGEST - 1;
        boolean splitsPair = end < line.length() && Character.isHighSurrogate(line.charAt(end - 1));
        return end == line.length() ? line : line.substring(0, splitsPair ? end - 1 : end) + "…";
    }
}

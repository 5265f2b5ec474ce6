package dev.registrar.documents;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A phrase that the project's prose does not use.
 *
 * @param text a regular expression for a text with single spaces
 * @param alternative what plain English says instead
 * @param example a text in which the phrase is found
 * @param pattern finds the text where whole words have it
 */
record Phrase(String text, String alternative, String example, Pattern pattern) {
    private static final String SEPARATOR = " => ";
    private static final Pattern PLAIN = Pattern.compile("[\\p{L} ]+");

    Phrase {
        if (alternative.isBlank() || !pattern.matcher(example).find()) {
            throw new IllegalArgumentException(
                    "A phrase has an alternative and finds its example but was '%s => %s => %s'"
                            .formatted(text, alternative, example));
        }
    }

    /** The phrases of a file: one on each line, and comments after {@code #}. */
    static List<Phrase> read(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(Phrase::parse)
                .toList();
    }

    /** A phrase and its alternative; a phrase that is a regular expression also has an example. */
    static Phrase parse(String line) {
        String[] parts = line.split(SEPARATOR, -1);
        boolean plain = PLAIN.matcher(parts[0]).matches();
        if (parts.length != (plain ? 2 : 3)) {
            throw new IllegalArgumentException(
                    "A phrase has an alternative, and an example if it is a regular expression, but was '%s'"
                            .formatted(line));
        }
        return new Phrase(parts[0], parts[1], plain ? parts[0] : parts[2], pattern(parts[0]));
    }

    /** Finds each phrase of a list, in one pass. */
    static Pattern any(List<Phrase> phrases) {
        return pattern(phrases.stream().map(Phrase::text).collect(Collectors.joining("|")));
    }

    /* A hyphen joins two words into another one: "stand-in" does not contain "stand". */
    private static Pattern pattern(String text) {
        return Pattern.compile("(?<![\\w-])(?:" + text + ")(?![\\w-])", Pattern.CASE_INSENSITIVE);
    }
}

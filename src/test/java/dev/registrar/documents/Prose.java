package dev.registrar.documents;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file as one line of words: without the marks of comments, with one space for each white space, each line break and
 * each underscore. So a phrase is found across the lines of a comment or of a joined string, and in a test's name.
 */
final class Prose {
    /** A phrase in a file. */
    record Finding(int line, String found, Phrase phrase) {}

    private static final Pattern MARK = Pattern.compile("^\\s*(?:/\\*\\*?|\\*/|\\*|//|--|#+|>)?\\s*");
    private static final Pattern CONTINUED_STRING = Pattern.compile("^\\+ \"");

    private final StringBuilder words = new StringBuilder();
    private final List<Integer> lines = new ArrayList<>();

    private Prose() {}

    static Prose of(String source) {
        Prose prose = new Prose();
        int number = 1;
        for (String line : source.lines().toList()) {
            prose.add(MARK.matcher(line).replaceFirst("").replace('_', ' '), number++);
        }
        return prose;
    }

    private void add(String line, int number) {
        Matcher continued = CONTINUED_STRING.matcher(line);
        boolean joins = continued.find() && endsWithQuote();
        if (joins) {
            words.setLength(words.length() - 2);
        }
        for (char character : (joins ? line.substring(continued.end()) + " " : line + " ").toCharArray()) {
            append(character, number);
        }
    }

    private boolean endsWithQuote() {
        return words.length() >= 2 && words.substring(words.length() - 2).equals("\" ");
    }

    private void append(char character, int number) {
        if (!Character.isWhitespace(character)) {
            words.append(character);
        } else if (!words.isEmpty() && words.charAt(words.length() - 1) != ' ') {
            words.append(' ');
        } else {
            return;
        }
        while (lines.size() >= words.length()) {
            lines.removeLast();
        }
        lines.add(number);
    }

    /** All phrases of a list that are found here. */
    List<Finding> find(List<Phrase> phrases) {
        List<Finding> findings = new ArrayList<>();
        if (!Phrase.any(phrases).matcher(words).find()) {
            return findings;
        }
        for (Phrase phrase : phrases) {
            phrase.pattern()
                    .matcher(words)
                    .results()
                    .map(match -> new Finding(lines.get(match.start()), match.group(), phrase))
                    .forEach(findings::add);
        }
        return findings;
    }
}

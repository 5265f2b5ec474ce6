package dev.registrar.eventstore.postgres;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists of texts laid end to end, as the stored function takes them: one array of texts, and for each list the numbers,
 * from 1, of its first and last text in it. PostgreSQL's own arrays of arrays must all be of one length.
 */
final class FlatTexts {
    private final List<String> texts = new ArrayList<>();
    private final int[] from;
    private final int[] to;
    private int lists;

    FlatTexts(int lists) {
        from = new int[lists];
        to = new int[lists];
    }

    void startList() {
        from[lists] = texts.size() + 1;
        to[lists] = texts.size();
        lists++;
    }

    void add(String text) {
        texts.add(text);
        to[lists - 1] = texts.size();
    }

    String[] texts() {
        return texts.toArray(String[]::new);
    }

    int[] from() {
        return from;
    }

    int[] to() {
        return to;
    }
}

package dev.registrar.benchmarks.report;

/**
 * The part of a document in Markdown that a program writes, between two comments.
 *
 * @param name of the part: it stands between {@code <!-- name -->} and {@code <!-- /name -->}
 */
record MarkedSection(String name) {

    /**
     * The document with a text in place of what stood between its marks.
     *
     * @throws IllegalArgumentException if the document lacks a mark, or has it twice, or has them in the wrong order
     */
    String insertedInto(String document, String text) {
        int begin = only(document, begin());
        int end = only(document, end());
        if (end < begin) {
            throw new IllegalArgumentException("The document has '%s' before '%s'".formatted(end(), begin()));
        }
        return document.substring(0, begin + begin().length()) + "\n" + text + "\n" + document.substring(end);
    }

    private String begin() {
        return "<!-- %s -->".formatted(name);
    }

    private String end() {
        return "<!-- /%s -->".formatted(name);
    }

    private int only(String document, String mark) {
        int position = document.indexOf(mark);
        if (position < 0) {
            throw new IllegalArgumentException("The document has no line '%s': the results stand between '%s' and '%s'"
                    .formatted(mark, begin(), end()));
        }
        if (document.indexOf(mark, position + 1) >= 0) {
            throw new IllegalArgumentException("The document has '%s' more than once".formatted(mark));
        }
        return position;
    }
}

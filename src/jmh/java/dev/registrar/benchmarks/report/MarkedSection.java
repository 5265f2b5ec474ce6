package dev.registrar.benchmarks.report;

/**
 * A generated section of a Markdown document, between two comments.
 *
 * @param name the name in the marks {@code <!-- name -->} and {@code <!-- /name -->}
 */
record MarkedSection(String name) {

    /**
     * Returns the document with the text between its marks.
     *
     * @throws IllegalArgumentException if the document lacks a mark, contains it twice, or contains the marks in the
     *     wrong order
     */
    String insertedInto(String document, String text) {
        int begin = only(document, begin());
        int end = only(document, end());
        if (end < begin) {
            throw new IllegalArgumentException("The document contains '%s' before '%s'".formatted(end(), begin()));
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
            throw new IllegalArgumentException(
                    "The document does not contain '%s': add '%s' and '%s', between which the results are written"
                            .formatted(mark, begin(), end()));
        }
        if (document.indexOf(mark, position + 1) >= 0) {
            throw new IllegalArgumentException("The document contains '%s' more than once".formatted(mark));
        }
        return position;
    }
}

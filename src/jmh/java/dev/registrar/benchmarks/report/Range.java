package dev.registrar.benchmarks.report;

/** A figure that is known within bounds, which are the same where it is known exactly. */
record Range(double least, double most) {
    private static final String BETWEEN = "..";

    Range {
        if (!(least > 0 && least <= most)) {
            throw new IllegalArgumentException(
                    "A range is positive and in order but was %s to %s".formatted(least, most));
        }
    }

    /** The range that a number, or two of them as in {@code 820..1450}, stand for. */
    static Range parse(String text) {
        int between = text.indexOf(BETWEEN);
        return between < 0
                ? new Range(Double.parseDouble(text), Double.parseDouble(text))
                : new Range(
                        Double.parseDouble(text.substring(0, between)),
                        Double.parseDouble(text.substring(between + BETWEEN.length())));
    }

    /**
     * How many times this a value is.
     *
     * @param value positive
     */
    Range into(double value) {
        return new Range(value / most, value / least);
    }

    @Override
    public String toString() {
        String first = Numbers.text(least);
        String last = Numbers.text(most);
        return first.equals(last) ? first : first + "–" + last;
    }
}

package dev.registrar.benchmarks.report;

/** A value that is known within bounds; they are equal if it is known exactly. */
record Range(double least, double most) {
    private static final String BETWEEN = "..";

    Range {
        if (!(least > 0 && least <= most)) {
            throw new IllegalArgumentException(
                    "A range has positive bounds in ascending order but was %s to %s".formatted(least, most));
        }
    }

    /** Parses a number, or two numbers as in {@code 820..1450}. */
    static Range parse(String text) {
        int between = text.indexOf(BETWEEN);
        return between < 0
                ? new Range(Double.parseDouble(text), Double.parseDouble(text))
                : new Range(
                        Double.parseDouble(text.substring(0, between)),
                        Double.parseDouble(text.substring(between + BETWEEN.length())));
    }

    /** Returns the quotients of two estimates at the ends of both error intervals. */
    static Range ofQuotient(Estimate dividend, Estimate divisor) {
        return new Range(
                (dividend.value() - dividend.error()) / (divisor.value() + divisor.error()),
                (dividend.value() + dividend.error()) / (divisor.value() - divisor.error()));
    }

    boolean contains(double value) {
        return least <= value && value <= most;
    }

    /**
     * Returns a value divided by this range.
     *
     * @param value positive
     */
    Range ratioOf(double value) {
        return new Range(value / most, value / least);
    }

    @Override
    public String toString() {
        String first = Numbers.text(least);
        String last = Numbers.text(most);
        return first.equals(last) ? first : first + "–" + last;
    }
}

package dev.registrar.benchmarks.figures;

/**
 * The target of a figure.
 *
 * @param bar the minimum target
 * @param aim the desired target
 */
record Bar(Sense sense, double bar, double aim) {
    /** Which side of the bar is good. */
    enum Sense {
        AT_LEAST,
        AT_MOST,
        /** There is no target; the figure is for information. */
        SHOWN
    }

    static final Bar SHOWN = new Bar(Sense.SHOWN, 0, 0);

    static Bar atLeast(double bar, double aim) {
        return new Bar(Sense.AT_LEAST, bar, aim);
    }

    static Bar atMost(double bar, double aim) {
        return new Bar(Sense.AT_MOST, bar, aim);
    }

    String verdict(double value) {
        return switch (sense) {
            case AT_LEAST -> verdict(value >= bar, value >= aim);
            case AT_MOST -> verdict(value <= bar, value <= aim);
            case SHOWN -> "shown";
        };
    }

    String describe(double limit) {
        return switch (sense) {
            case AT_LEAST -> "≥ " + Spread.text(limit);
            case AT_MOST -> "≤ " + Spread.text(limit);
            case SHOWN -> "";
        };
    }

    private static String verdict(boolean meetsBar, boolean meetsAim) {
        return meetsAim ? "aim met" : meetsBar ? "met" : "NOT MET";
    }
}

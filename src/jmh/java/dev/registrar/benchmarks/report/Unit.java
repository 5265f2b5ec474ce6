package dev.registrar.benchmarks.report;

/** The unit of a published figure. */
enum Unit {
    CALLS_PER_SECOND("calls/s"),
    /** Events that are appended or returned per second. */
    EVENTS_PER_SECOND("events/s"),
    BYTES_PER_CALL("B/call");

    private final String symbol;

    Unit(String symbol) {
        this.symbol = symbol;
    }

    String symbol() {
        return symbol;
    }

    static Unit ofSymbol(String symbol) {
        for (Unit unit : values()) {
            if (unit.symbol.equals(symbol)) {
                return unit;
            }
        }
        throw new IllegalArgumentException("Unknown unit '%s'".formatted(symbol));
    }
}

package dev.registrar.benchmarks.report;

/** What a published figure is compared in. */
enum Unit {
    CALLS_PER_SECOND("calls/s"),
    /** Events that are appended or returned. */
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
        throw new IllegalArgumentException("No unit is '%s'".formatted(symbol));
    }
}

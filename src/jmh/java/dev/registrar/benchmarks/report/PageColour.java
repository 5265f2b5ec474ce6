package dev.registrar.benchmarks.report;

import java.awt.Color;
import java.util.List;
import java.util.Locale;

/**
 * A colour that the page's style sheet defines, light or dark. Charts are drawn in colours that stand for these, since
 * a drawing knows no names.
 */
enum PageColour {
    INK(1),
    FAINT(2),
    LINE_1(3),
    LINE_2(4),
    LINE_3(5),
    LINE_4(6),
    LINE_5(7);

    static final List<PageColour> LINES = List.of(LINE_1, LINE_2, LINE_3, LINE_4, LINE_5);

    private final Color placeholder;

    PageColour(int blue) {
        placeholder = new Color(0, 0, blue);
    }

    Color placeholder() {
        return placeholder;
    }

    /** The placeholder as a drawing writes it. */
    String drawn() {
        return "rgb(0,0,%d)".formatted(placeholder.getBlue());
    }

    String variable() {
        return "var(--%s)".formatted(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}

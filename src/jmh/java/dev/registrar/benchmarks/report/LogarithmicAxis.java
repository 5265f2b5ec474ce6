package dev.registrar.benchmarks.report;

import java.awt.Graphics2D;
import java.awt.geom.Rectangle2D;
import java.text.NumberFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jfree.chart.axis.AxisState;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTick;
import org.jfree.chart.axis.ValueTick;
import org.jfree.chart.ui.RectangleEdge;
import org.jfree.chart.ui.TextAnchor;

/** A logarithmic axis with labels at given values, and not at powers alone. */
final class LogarithmicAxis extends LogAxis {
    /** How many times the outermost values an end of the axis is. */
    private static final double ROOM = 1.3;

    private final transient SortedSet<Double> labelled;

    /** With labels at its values. */
    LogarithmicAxis(String label, SortedSet<Double> values) {
        this(label, values, values.first() / ROOM, values.last() * ROOM);
    }

    private LogarithmicAxis(String label, SortedSet<Double> labelled, double least, double most) {
        super(label);
        this.labelled = labelled;
        setRange(least, most);
    }

    /** With labels at powers of ten, from the one below its values. */
    static LogarithmicAxis ofPowers(String label, SortedSet<Double> values) {
        SortedSet<Double> powers = new TreeSet<>();
        for (int exponent = (int) Math.floor(Math.log10(values.first()));
                Math.pow(10, exponent) <= values.last();
                exponent++) {
            powers.add(Math.pow(10, exponent));
        }
        return new LogarithmicAxis(label, powers, powers.first(), values.last() * ROOM);
    }

    @Override
    public List<ValueTick> refreshTicks(
            Graphics2D graphics, AxisState state, Rectangle2D dataArea, RectangleEdge edge) {
        TextAnchor anchor = RectangleEdge.isTopOrBottom(edge) ? TextAnchor.TOP_CENTER : TextAnchor.CENTER_RIGHT;
        List<ValueTick> ticks = new ArrayList<>();
        for (double value : labelled) {
            ticks.add(new NumberTick(value, text(value), anchor, TextAnchor.CENTER, 0));
        }
        return ticks;
    }

    /** Short, as in 10K. */
    static String text(double value) {
        return NumberFormat.getCompactNumberInstance(Locale.ROOT, NumberFormat.Style.SHORT)
                .format(value);
    }
}

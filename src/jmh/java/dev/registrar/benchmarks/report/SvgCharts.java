package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.toCollection;

import java.awt.BasicStroke;
import java.awt.Font;
import java.awt.Stroke;
import java.awt.geom.Line2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.io.StringWriter;
import java.text.NumberFormat;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerException;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.Axis;
import org.jfree.chart.axis.AxisLocation;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.block.BlockBorder;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.Plot;
import org.jfree.chart.plot.PlotOrientation;
import org.jfree.chart.plot.XYPlot;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.chart.renderer.xy.XYErrorRenderer;
import org.jfree.chart.ui.RectangleInsets;
import org.jfree.data.category.DefaultCategoryDataset;
import org.jfree.data.xy.YIntervalSeries;
import org.jfree.data.xy.YIntervalSeriesCollection;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Draws charts as SVG for the inside of one page, whose colours and font they take. */
final class SvgCharts {
    private static final String SVG = "http://www.w3.org/2000/svg";
    private static final int WIDTH = 560;
    private static final int HEIGHT = 400;
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 14);

    static {
        // Before anything asks for a display.
        System.setProperty("java.awt.headless", "true");
    }

    /** One for the page, so that no two charts use the same id. */
    private final SVGIDGenerator ids = new SVGIDGenerator();

    /** Whether this machine has fonts, without which Java draws nothing. */
    static boolean canDraw() {
        try {
            return new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB)
                            .createGraphics()
                            .getFontMetrics(FONT)
                            .charWidth('0')
                    > 0;
        } catch (Error | RuntimeException noFonts) {
            // What is thrown depends on what is missing: the list of fonts, all fonts, or the library that reads them.
            return false;
        }
    }

    String svg(Chart chart) {
        JFreeChart drawing = switch (chart) {
            case Chart.Lines lines -> chart(plot(lines), lines.lines().size() > 1);
            case Chart.Dots dots -> chart(plot(dots), false);
        };
        Document document = emptyDocument();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setIDGenerator(ids);
        context.setComment(null);
        SVGGraphics2D graphics = new SVGGraphics2D(context, false);
        drawing.draw(graphics, new Rectangle2D.Double(0, 0, WIDTH, HEIGHT));
        Element root = graphics.getRoot();
        withoutSharedIds(root);
        root.setAttribute("viewBox", "0 0 %d %d".formatted(WIDTH, HEIGHT));
        root.setAttribute("role", "img");
        root.setAttribute("aria-label", chart.title());
        describe(root, "desc", chart.description());
        describe(root, "title", chart.title());
        return named(text(root));
    }

    private static JFreeChart chart(Plot plot, boolean legend) {
        JFreeChart chart = new JFreeChart(null, FONT, plot, legend);
        chart.setBackgroundPaint(null);
        chart.setPadding(new RectangleInsets(4, 4, 4, 12));
        if (legend) {
            chart.getLegend().setItemFont(FONT);
            chart.getLegend().setItemPaint(PageColour.INK.placeholder());
            chart.getLegend().setBackgroundPaint(null);
            chart.getLegend().setFrame(BlockBorder.NONE);
            chart.getLegend().setItemLabelPadding(new RectangleInsets(2, 6, 2, 14));
        }
        plot.setBackgroundPaint(null);
        plot.setOutlineVisible(false);
        plot.setInsets(RectangleInsets.ZERO_INSETS);
        return chart;
    }

    private static XYPlot plot(Chart.Lines chart) {
        YIntervalSeriesCollection data = new YIntervalSeriesCollection();
        XYErrorRenderer renderer = new XYErrorRenderer();
        renderer.setDefaultLinesVisible(true);
        renderer.setDrawXError(false);
        renderer.setLegendLine(new Line2D.Double(-14, 0, 14, 0));
        int colour = -1;
        for (Chart.Line line : chart.lines()) {
            YIntervalSeries series = new YIntervalSeries(line.name());
            line.points()
                    .forEach(point ->
                            series.add(point.x(), point.y(), point.y() - point.error(), point.y() + point.error()));
            int index = data.getSeriesCount();
            data.addSeries(series);
            colour += line.dashed() ? 0 : 1;
            renderer.setSeriesPaint(index, PageColour.LINES.get(colour).placeholder());
            renderer.setSeriesStroke(index, stroke(line.dashed()));
        }
        SortedSet<Double> across = chart.lines().stream()
                .flatMap(line -> line.points().stream().map(Chart.Point::x))
                .collect(toCollection(TreeSet::new));
        XYPlot plot = new XYPlot(data, plain(new LogarithmicAxis(chart.across(), across)), valueAxis(chart), renderer);
        plot.setDomainGridlinesVisible(false);
        plot.setRangeGridlinePaint(PageColour.FAINT.placeholder());
        plot.setRangeGridlineStroke(new BasicStroke(1));
        return plot;
    }

    private static ValueAxis valueAxis(Chart.Lines chart) {
        if (chart.logarithmic()) {
            SortedSet<Double> values = chart.lines().stream()
                    .flatMap(line -> line.points().stream().map(Chart.Point::y))
                    .collect(toCollection(TreeSet::new));
            return plain(LogarithmicAxis.ofPowers(chart.value(), values));
        }
        NumberAxis axis = new NumberAxis(chart.value());
        axis.setAutoRangeIncludesZero(true);
        // Room above and below each, so that they are few.
        axis.setTickLabelInsets(new RectangleInsets(12, 4, 12, 4));
        axis.setNumberFormatOverride(NumberFormat.getIntegerInstance(Locale.ROOT));
        return plain(axis);
    }

    private static CategoryPlot plot(Chart.Dots chart) {
        DefaultCategoryDataset data = new DefaultCategoryDataset();
        chart.dots().forEach(dot -> data.addValue(dot.value(), chart.value(), dot.name()));
        LineAndShapeRenderer renderer = new LineAndShapeRenderer(false, true);
        renderer.setSeriesPaint(0, PageColour.LINE_1.placeholder());
        CategoryAxis names = plain(new CategoryAxis());
        names.setMaximumCategoryLabelWidthRatio(0.6f);
        SortedSet<Double> values = chart.dots().stream().map(Chart.Dot::value).collect(toCollection(TreeSet::new));
        CategoryPlot plot =
                new CategoryPlot(data, names, plain(LogarithmicAxis.ofPowers(chart.value(), values)), renderer);
        plot.setOrientation(PlotOrientation.HORIZONTAL);
        plot.setRangeAxisLocation(AxisLocation.BOTTOM_OR_LEFT);
        plot.setDomainGridlinesVisible(true);
        plot.setDomainGridlinePaint(PageColour.FAINT.placeholder());
        plot.setDomainGridlineStroke(new BasicStroke(1));
        plot.setRangeGridlinePaint(PageColour.FAINT.placeholder());
        plot.setRangeGridlineStroke(new BasicStroke(1));
        return plot;
    }

    private static <T extends Axis> T plain(T axis) {
        axis.setLabelFont(FONT);
        axis.setTickLabelFont(FONT);
        axis.setLabelPaint(PageColour.INK.placeholder());
        axis.setTickLabelPaint(PageColour.INK.placeholder());
        axis.setAxisLinePaint(PageColour.FAINT.placeholder());
        axis.setTickMarksVisible(false);
        return axis;
    }

    private static Stroke stroke(boolean dashed) {
        return dashed
                ? new BasicStroke(2, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {6, 4}, 0)
                : new BasicStroke(2);
    }

    /** Takes away the ids that every drawing has and nothing refers to. */
    private static void withoutSharedIds(Element root) {
        NodeList definitions = root.getElementsByTagName("defs");
        for (int i = 0; i < definitions.getLength(); i++) {
            ((Element) definitions.item(i)).removeAttribute("id");
        }
    }

    private static void describe(Element root, String element, String text) {
        Element description = root.getOwnerDocument().createElementNS(SVG, element);
        description.setTextContent(text);
        root.insertBefore(description, root.getFirstChild());
    }

    private static String named(String svg) {
        String named = svg;
        for (PageColour colour : PageColour.values()) {
            named = named.replace(colour.drawn(), colour.variable());
        }
        return named;
    }

    private static Document emptyDocument() {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .getDOMImplementation()
                    .createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String text(Element root) {
        try {
            Transformer copier = TransformerFactory.newInstance().newTransformer();
            copier.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
            StringWriter text = new StringWriter();
            copier.transform(new DOMSource(root), new StreamResult(text));
            return text.toString();
        } catch (TransformerException failure) {
            throw new IllegalStateException("Cannot write a chart", failure);
        }
    }
}

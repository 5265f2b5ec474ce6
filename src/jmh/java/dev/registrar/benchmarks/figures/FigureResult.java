package dev.registrar.benchmarks.figures;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The measured values of a figure.
 *
 * @param value the value that is compared with the bar: the median over the rounds of subject divided by baseline, or
 *     the subject's median if there is no baseline
 */
record FigureResult(Figure figure, Spread subject, @Nullable Spread baseline, double value) {
    static final String TABLE_HEAD = """
            | figure | what | median (spread) | baseline | ratio | bar | aim | |
            |---|---|---|---|---|---|---|---|""";

    String verdict() {
        return figure.bar().verdict(value);
    }

    /** Returns the result as a row of a Markdown table. */
    String tableRow() {
        return Stream.of(
                        figure.id(),
                        figure.what(),
                        subject.text(figure.unit()),
                        baseline == null ? "" : baseline.name() + ": " + baseline.text(figure.unit()),
                        baseline == null ? "" : Spread.text(value),
                        figure.bar().describe(figure.bar().bar()),
                        figure.bar().describe(figure.bar().aim()),
                        verdict())
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** Returns the result with all of its runs. */
    ObjectNode json(JsonMapper mapper) {
        ObjectNode json = mapper.createObjectNode();
        json.put("what", figure.what());
        json.put("unit", figure.unit());
        json.set("subject", json(mapper, subject));
        if (baseline != null) {
            json.set("baseline", json(mapper, baseline));
        }
        json.put("value", value);
        switch (figure.bar().sense()) {
            case AT_LEAST, AT_MOST -> {
                json.put("bar", figure.bar().describe(figure.bar().bar()));
                json.put("aim", figure.bar().describe(figure.bar().aim()));
            }
            case SHOWN -> {}
        }
        json.put("verdict", verdict());
        return json;
    }

    private static ObjectNode json(JsonMapper mapper, Spread spread) {
        ArrayNode runs = mapper.createArrayNode();
        spread.runs().forEach(runs::add);
        ObjectNode json = mapper.createObjectNode();
        json.put("name", spread.name());
        json.put("median", spread.median());
        json.put("min", spread.least());
        json.put("max", spread.most());
        json.set("runs", runs);
        return json;
    }
}

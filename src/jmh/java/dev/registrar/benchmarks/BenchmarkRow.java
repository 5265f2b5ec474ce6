package dev.registrar.benchmarks;

import static java.util.stream.Collectors.joining;

import dev.registrar.eventstore.KebabCase;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * A benchmark with its parameters.
 *
 * @param benchmark JMH's name of the benchmark
 * @param declared the annotation that it is one row of
 * @param shown the parameters in the id, with {@code dataset} and {@code callers}
 * @param settled JMH's parameters that the name implies
 */
public record BenchmarkRow(
        String benchmark,
        Row declared,
        SortedMap<String, String> shown,
        Map<String, String> settled,
        Template template) {
    private static final String CALLERS = "callers";
    private static final String DATA_SET = "dataset";

    /** Returns the rows of all benchmarks on the class path, by benchmark. */
    public static List<BenchmarkRow> all() {
        return BenchmarkList.defaultList()
                .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of())
                .stream()
                .flatMap(entry -> of(entry.getUserClassQName(), entry.getUsername()))
                .toList();
    }

    private static Stream<BenchmarkRow> of(String className, String benchmark) {
        try {
            String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
            return Arrays.stream(Class.forName(className).getMethods())
                    .filter(candidate -> candidate.getName().equals(method))
                    .flatMap(found -> Arrays.stream(found.getAnnotationsByType(Row.class)))
                    .flatMap(row -> combinations(parameters(row.value()))
                            .map(shown -> new BenchmarkRow(benchmark, row, shown)));
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private BenchmarkRow(String benchmark, Row declared, SortedMap<String, String> shown) {
        this(
                benchmark,
                declared,
                shown,
                parameters(filled(declared.with(), shown)),
                KebabCase.parse(Template.class, filled(declared.on(), shown)));
    }

    private static Stream<SortedMap<String, String>> combinations(SortedMap<String, String> lists) {
        Stream<SortedMap<String, String>> combinations = Stream.of(new TreeMap<>(Map.of(CALLERS, "1")));
        for (Map.Entry<String, String> list : lists.entrySet()) {
            combinations = combinations.flatMap(combination -> Arrays.stream(
                            list.getValue().split(",", -1))
                    .map(value -> {
                        SortedMap<String, String> longer = new TreeMap<>(combination);
                        longer.put(list.getKey(), value);
                        return longer;
                    }));
        }
        return combinations;
    }

    /* The words with an equals sign. */
    private static SortedMap<String, String> parameters(String text) {
        SortedMap<String, String> parameters = new TreeMap<>();
        Arrays.stream(text.split(" "))
                .map(word -> word.split("=", -1))
                .filter(parameter -> parameter.length == 2)
                .forEach(parameter -> parameters.put(parameter[0], parameter[1]));
        return parameters;
    }

    private static String filled(String text, Map<String, String> parameters) {
        String filled = text;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            filled = filled.replace("{%s}".formatted(parameter.getKey()), parameter.getValue());
        }
        return filled;
    }

    public String name() {
        return nameIn(declared.value());
    }

    private static String nameIn(String text) {
        int blank = text.indexOf(' ');
        return blank < 0 ? text : text.substring(0, blank);
    }

    /** Returns the name, the parameters in alphabetical order, and the callers. */
    public String id() {
        return id(name(), shown);
    }

    private static String id(String name, SortedMap<String, String> parameters) {
        return parameters.keySet().stream()
                .filter(parameter -> !parameter.equals(CALLERS))
                .map(parameter -> " %s=%s".formatted(parameter, parameters.get(parameter)))
                .collect(joining("", name, " callers=" + parameters.get(CALLERS)));
    }

    /** Returns the id of the row that runs in turns with it; empty if there is none. */
    public String baseline() {
        String by = declared.by();
        SortedMap<String, String> parameters = new TreeMap<>(shown);
        if (by.contains("/")) {
            parameters.keySet().retainAll(List.of(DATA_SET, CALLERS));
        }
        parameters.putAll(parameters(filled(by, shown)));
        String baseline = id(by.contains("/") ? nameIn(by) : name(), parameters);
        return baseline.equals(id()) ? "" : baseline;
    }

    /** Returns JMH's parameters. */
    Map<String, String> parameters() {
        Map<String, String> all = new TreeMap<>(shown);
        all.keySet().removeAll(List.of(CALLERS, DATA_SET));
        all.putAll(settled);
        return all;
    }

    /** Returns the settings of the database. */
    Map<String, String> database() {
        return parameters(filled(declared.database(), shown));
    }

    /** Returns the calls of one invocation. */
    int calls() {
        return Integer.parseInt(filled(declared.calls(), shown));
    }

    /** Returns the callers that JMH runs: one if an invocation is a batch of calls with its own callers. */
    int threads() {
        return calls() == 1 ? Integer.parseInt(shown.getOrDefault(CALLERS, "1")) : 1;
    }

    /** Returns this row on another database, with some JMH parameters changed. */
    public BenchmarkRow on(Template other, Map<String, String> changed) {
        Map<String, String> all = new TreeMap<>(settled);
        all.putAll(changed);
        return new BenchmarkRow(benchmark, declared, shown, all, other);
    }
}

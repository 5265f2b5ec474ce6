package dev.registrar.benchmarks;

import dev.registrar.benchmarks.Row.Length;
import dev.registrar.eventstore.KebabCase;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
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
 * @param shown the parameters in the id, with {@code dataset} and without {@code callers}
 * @param settled JMH's parameters that the name implies
 * @param callers concurrent callers, each of which calls again as soon as a call returns
 * @param database settings of the database
 * @param baseline the id of the row that runs in turns with it; empty if there is none
 * @param calls calls of one invocation
 */
public record BenchmarkRow(
        String benchmark,
        String name,
        SortedMap<String, String> shown,
        Map<String, String> settled,
        int callers,
        Template template,
        Map<String, String> database,
        String baseline,
        int calls,
        boolean served,
        Length length,
        boolean onRequest) {
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
                    .flatMap(row -> expanded(row, benchmark));
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static Stream<BenchmarkRow> expanded(Row row, String benchmark) {
        String[] words = row.value().split(" ");
        List<SortedMap<String, String>> combinations = List.of(new TreeMap<>());
        for (String word : Arrays.asList(words).subList(1, words.length)) {
            String[] parameter = word.split("=", -1);
            List<SortedMap<String, String>> more = new ArrayList<>();
            for (SortedMap<String, String> combination : combinations) {
                for (String value : parameter[1].split(",", -1)) {
                    SortedMap<String, String> longer = new TreeMap<>(combination);
                    longer.put(parameter[0], value);
                    more.add(longer);
                }
            }
            combinations = more;
        }
        return combinations.stream().map(parameters -> of(row, benchmark, words[0], parameters));
    }

    private static BenchmarkRow of(Row row, String benchmark, String name, SortedMap<String, String> parameters) {
        parameters.putIfAbsent(CALLERS, "1");
        SortedMap<String, String> shown = new TreeMap<>(parameters);
        shown.remove(CALLERS);
        return new BenchmarkRow(
                benchmark,
                name,
                shown,
                parameters(filled(row.with(), parameters)),
                Integer.parseInt(parameters.getOrDefault(CALLERS, "1")),
                KebabCase.parse(Template.class, filled(row.on(), parameters)),
                parameters(filled(row.database(), parameters)),
                filled(row.by(), parameters),
                Integer.parseInt(filled(row.calls(), parameters)),
                row.served(),
                row.length(),
                row.onRequest());
    }

    private static String filled(String text, Map<String, String> parameters) {
        String filled = text;
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            filled = filled.replace("{%s}".formatted(parameter.getKey()), parameter.getValue());
        }
        return filled;
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String word : text.isEmpty() ? new String[0] : text.split(" ")) {
            String[] parameter = word.split("=", -1);
            parameters.put(parameter[0], parameter[1]);
        }
        return parameters;
    }

    /** Returns the name, the parameters in alphabetical order, and the callers. */
    public String id() {
        StringBuilder id = new StringBuilder(name);
        shown.forEach((parameter, value) ->
                id.append(' ').append(parameter).append('=').append(value));
        return id.append(" callers=").append(callers).toString();
    }

    /** Returns JMH's parameters. */
    Map<String, String> parameters() {
        Map<String, String> all = new TreeMap<>(shown);
        all.remove(DATA_SET);
        all.putAll(settled);
        return all;
    }

    /** Returns the callers that JMH runs: one if an invocation is a batch of calls with its own callers. */
    int threads() {
        return calls == 1 ? callers : 1;
    }

    /** Returns this row on another database, with some JMH parameters changed. */
    public BenchmarkRow on(Template other, Map<String, String> changed) {
        Map<String, String> all = new TreeMap<>(settled);
        all.putAll(changed);
        return new BenchmarkRow(
                benchmark, name, shown, all, callers, other, database, baseline, calls, served, length, onRequest);
    }
}

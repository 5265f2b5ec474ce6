package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The rows of a full run. */
final class SuiteRows {
    /** A row with the values of its parameters. One caller unless something else is said. */
    private static final String ROWS = """
            append/single dataset=tiny|small|medium
            append/realistic dataset=tiny|small|medium
            append/mixed-types dataset=small
            append/high-frequency dataset=small
            append/batch dataset=small events=2|5|10|20|50|100|1000
            append/concurrent dataset=tiny|small|medium events=1|100 callers=1|10|100
            append-if/no-conflict dataset=tiny|small|medium events=1|5|10|12|100 callers=1|10|100
            append-if/with-conflict dataset=tiny|small|medium events=1|5|10|12|100 callers=1|10|100
            append-if/past-events dataset=small past=10|100|10000
            append-if/conflicts dataset=small conflicts=1|10|100
            append-if/same-boundary dataset=small callers=10|100
            append-if/disjoint-boundaries dataset=small callers=10|100
            append-if/overlapping-boundaries dataset=small callers=10|100
            append-if/store-size stored=1000|10000|100000|1000000|10000000 callers=1|100
            locks/single dataset=small
            locks/one-key dataset=small callers=5|8|10|20
            locks/many-keys dataset=small callers=5|8|10|20
            locks/batch dataset=small events=10|100|1000
            locks/with-condition dataset=small
            durability/append dataset=small events=1|10 flush=true|false
            read/single dataset=small as=list|stream
            read/batch dataset=small as=list|stream
            read/append-if dataset=small as=list|stream
            read/complex dataset=small
            read/by-type
            read/by-tag
            read/type-and-tag
            read/two-tags
            read/or-items
            read/several-types
            read/several-types-and-two-tags
            read/high-selectivity
            read/low-selectivity
            read/payments-of-tenant
            read/orders-in-state
            read/ascending
            read/descending
            read/last
            read/stored-by-type stored=100|1000|10000
            read/stored-by-tag stored=100|1000|10000
            read/stored-all stored=100|1000|10000
            read/stored-several-types stored=1000
            read/stored-two-tags stored=1000
            project/list dataset=small projections=1|2|3 events=0|100|10000
            project/streamed dataset=small projections=1|2|3 events=0|100|10000
            project/incremental dataset=small
            project/concurrent dataset=small callers=1|10|25
            project/concurrent-streamed dataset=small callers=1|10|25
            enrollment/many-courses dataset=small callers=1|10|100
            enrollment/one-course callers=1|10|100
            pool/select dataset=small load=light pool=ours|bare callers=10
            pool/select dataset=small load=medium pool=ours|bare callers=50
            pool/select dataset=small load=heavy pool=ours|bare callers=100
            pool/select dataset=small load=sustained pool=ours|bare callers=100
            pool/first-select dataset=small start=warm|cold
            pool/cpu dataset=small on=virtual-threads|cpu-pool callers=8
            pool/io-beside-cpu dataset=small on=virtual-threads|cpu-pool|nothing callers=10
            pool/mixed dataset=small on=virtual-threads|cpu-pool callers=8
            pool/append-if dataset=small protection=on|off
            ablation/append-if dataset=small strategy=serializable|table-lock|one-advisory-lock|advisory-lock-per-tag|group-append callers=1|10|100
            """;

    private SuiteRows() {}

    static SortedSet<RowId> all() {
        return ROWS.lines().flatMap(SuiteRows::ids).collect(toCollection(TreeSet::new));
    }

    private static Stream<RowId> ids(String line) {
        List<String> words = List.of(line.split(" "));
        SortedMap<String, String> values = new TreeMap<>();
        String callers = "1";
        for (String word : words.subList(1, words.size())) {
            String name = word.substring(0, word.indexOf('='));
            String choices = word.substring(word.indexOf('=') + 1);
            if (name.equals("callers")) {
                callers = choices;
            } else {
                values.put(name, choices);
            }
        }
        List<String> counts = List.of(callers.split("\\|"));
        return choices(values).stream()
                .flatMap(choice -> counts.stream()
                        .map(count -> RowId.parse(
                                (words.getFirst() + " " + choice + " callers=" + count).replace("  ", " "))));
    }

    private static List<String> choices(SortedMap<String, String> values) {
        List<List<String>> choices = List.of(List.of());
        for (Map.Entry<String, String> parameter : values.entrySet()) {
            choices = choices.stream()
                    .flatMap(choice -> Stream.of(parameter.getValue().split("\\|"))
                            .map(value -> with(choice, parameter.getKey() + "=" + value)))
                    .toList();
        }
        return choices.stream()
                .map(choice -> choice.stream().collect(joining(" ")))
                .toList();
    }

    private static List<String> with(List<String> choice, String parameter) {
        List<String> longer = new ArrayList<>(choice);
        longer.add(parameter);
        return longer;
    }
}

package dev.registrar.benchmarks.report;

import static dev.registrar.benchmarks.report.Table.escape;
import static java.util.stream.Collectors.joining;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The three ratios at the top of the page: a row divided by its baseline, which the same run measured. */
final class Headlines {
    /**
     * The largest factor by which the rates of a row differed between two published runs:
     * {@code append-if/conflict-round dataset=small events=5 callers=1}, 1,015 ± 80 calls/s at commit 90166e2 and 482 ±
     * 114 at 682ed60, on the same two processors. The rows of one run are minutes apart, too.
     */
    static final double BETWEEN_RUNS = 2.1;

    /**
     * A row and the rows that can be its baseline.
     *
     * @param baselines the fastest of which counts that is steady and of the subject's run
     * @param circumstances of all, as in {@code 100 callers}
     */
    record Pair(RowId subject, List<RowId> baselines, String circumstances) {
        Pair {
            baselines = List.copyOf(baselines);
        }
    }

    /**
     * What a ratio answers.
     *
     * @param subject what the subject does, as the beginning of a sentence
     * @param baseline what the baseline does
     * @param pairs the first of which counts whose rows are both steady
     */
    record Question(String title, String subject, String baseline, List<Pair> pairs) {
        Question {
            pairs = List.copyOf(pairs);
        }
    }

    /** The answer to a question. */
    private record Answer(Pair pair, RowResult subject, RowResult baseline) {
        double ratio() {
            return subject.callsPerSecond().value() / baseline.callsPerSecond().value();
        }

        /** Returns the ratios at the ends of both error intervals. */
        Range range() {
            return Range.ofQuotient(subject.callsPerSecond(), baseline.callsPerSecond());
        }

        /** Returns whether the rows differ by more than their errors, and by more than a row did between two runs. */
        boolean showsDifference() {
            return !range().contains(1) && Math.max(ratio(), 1 / ratio()) > BETWEEN_RUNS;
        }
    }

    private static final List<String> PROTECTED =
            List.of("one-advisory-lock", "advisory-lock-per-tag", "table-lock", "serializable");

    static final List<Question> QUESTIONS = List.of(
            new Question(
                    "Concurrent conditional appends",
                    "Group append",
                    "the fastest other protection, with the same condition and insert in three or four round trips on"
                            + " 16 connections",
                    Stream.of(100, 10, 1)
                            .map(callers -> new Pair(
                                    strategy("group-append", callers),
                                    PROTECTED.stream()
                                            .map(protection -> strategy(protection, callers))
                                            .toList(),
                                    callers(callers)))
                            .toList()),
            new Question(
                    "A store that grows",
                    "Append-if in a store of 1,000,000 events",
                    "the same append-if in a smaller store",
                    Stream.of(100, 1)
                            .flatMap(callers -> Stream.of(1_000, 10_000, 100_000)
                                    .map(stored -> new Pair(
                                            storeSize(1_000_000, callers),
                                            List.of(storeSize(stored, callers)),
                                            String.format(Locale.ROOT, "%,d events, %s", stored, callers(callers)))))
                            .toList()),
            new Question(
                    "The price of a condition",
                    "Append-if",
                    "an append without a condition",
                    Stream.of(100, 10, 1)
                            .map(callers -> new Pair(
                                    RowId.parse("append-if/no-conflict dataset=small events=1 callers=" + callers),
                                    List.of(RowId.parse("append/concurrent dataset=small events=1 callers=" + callers)),
                                    callers(callers)))
                            .toList()));

    private final ResultFile results;

    Headlines(ResultFile results) {
        this.results = results;
    }

    String html() {
        return QUESTIONS.stream().map(this::html).collect(joining("\n", "<div class=\"headlines\">\n", "\n</div>"));
    }

    private String html(Question question) {
        return question.pairs().stream()
                .flatMap(pair -> answer(pair).stream())
                .findFirst()
                .map(answer -> html(question, answer))
                .orElseGet(() -> card(
                        question.title(),
                        "<p>%s</p>"
                                .formatted(escape("No pair of rows that answers this is steady in these results."))));
    }

    private Optional<Answer> answer(Pair pair) {
        return results.find(pair.subject())
                .filter(RowResult::isSteady)
                .flatMap(subject -> pair.baselines().stream()
                        .flatMap(baseline -> results.find(baseline).stream())
                        .filter(other -> other.isSteady() && results.areBeside(subject, other))
                        .max(Comparator.comparingDouble(
                                other -> other.callsPerSecond().value()))
                        .map(other -> new Answer(pair, subject, other)));
    }

    private static String html(Question question, Answer answer) {
        String sentence = "%s does %s calls/s; the baseline, %s, does %s calls/s (%s)."
                .formatted(
                        question.subject(),
                        Numbers.text(answer.subject().callsPerSecond()),
                        question.baseline(),
                        Numbers.text(answer.baseline().callsPerSecond()),
                        answer.pair().circumstances());
        return card(question.title(), """
                <p class="ratio">%s</p>
                <p>%s</p>
                <p class="detail">%s×; %s× at the ends of both error intervals. <code>%s</code> ÷ <code>%s</code></p>""".formatted(
                        answer.showsDifference() ? Numbers.text(answer.ratio()) + "×" : "No difference shown",
                        escape(sentence),
                        Numbers.text(answer.ratio()),
                        answer.range(),
                        escape(answer.subject().id().toString()),
                        escape(answer.baseline().id().toString())));
    }

    private static String card(String title, String content) {
        return "<article>\n<h3>%s</h3>\n%s\n</article>".formatted(escape(title), content);
    }

    private static String callers(int callers) {
        return callers == 1 ? "1 caller" : callers + " callers";
    }

    private static RowId strategy(String strategy, int callers) {
        return RowId.parse("ablation/append-if dataset=small strategy=%s callers=%s".formatted(strategy, callers));
    }

    private static RowId storeSize(int stored, int callers) {
        return RowId.parse("append-if/store-size stored=%s callers=%s".formatted(stored, callers));
    }
}

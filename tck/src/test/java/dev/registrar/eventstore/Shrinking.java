package dev.registrar.eventstore;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Makes a failing sequence simpler: with fewer operations, then with fewer and smaller choices in them. After
 * Hypothesis, which shrinks what random values are made of instead of the values.
 */
final class Shrinking {
    private static final int MOST_ATTEMPTS = 5_000;

    private Shrinking() {}

    /** Tries simpler sequences, and goes on with the first one that fails, until none does. */
    static List<List<Integer>> shrink(List<List<Integer>> failing, Predicate<List<List<Integer>>> fails) {
        List<List<Integer>> simplest = failing;
        Iterator<List<List<Integer>>> candidates = simpler(simplest).iterator();
        for (int attempt = 0; attempt < MOST_ATTEMPTS && candidates.hasNext(); attempt++) {
            List<List<Integer>> candidate = candidates.next();
            if (fails.test(candidate)) {
                simplest = candidate;
                candidates = simpler(simplest).iterator();
            }
        }
        return simplest;
    }

    private static Stream<List<List<Integer>>> simpler(List<List<Integer>> sequence) {
        return Stream.concat(
                withoutSome(sequence).filter(rest -> !rest.isEmpty()),
                withOneOf(
                        sequence,
                        choices -> Stream.concat(withoutSome(choices), withOneOf(choices, Shrinking::smaller))));
    }

    private static Stream<Integer> smaller(int choice) {
        return Stream.of(0, choice / 2, choice * 3 / 4, choice * 7 / 8).filter(less -> less < choice);
    }

    private static <T> Stream<List<T>> withOneOf(List<T> list, Function<T, Stream<T>> replacements) {
        return IntStream.range(0, list.size())
                .boxed()
                .flatMap(at -> replacements.apply(list.get(at)).map(other -> {
                    List<T> changed = new ArrayList<>(list);
                    changed.set(at, other);
                    return changed;
                }));
    }

    /* Half of the elements first, single ones last. */
    private static <T> Stream<List<T>> withoutSome(List<T> list) {
        return Stream.iterate((list.size() + 1) / 2, size -> size > 0, size -> size / 2)
                .flatMap(size -> Stream.iterate(0, from -> from < list.size(), from -> from + size)
                        .map(from -> {
                            List<T> rest = new ArrayList<>(list);
                            rest.subList(from, Math.min(from + size, list.size()))
                                    .clear();
                            return rest;
                        }));
    }
}

package dev.registrar.benchmarks.suite;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds similar names for a mistyped one. The measure is the part of the pairs of adjacent letters that two names share
 * (L. R. Dice, Measures of the amount of ecologic association between species, Ecology 26, 1945).
 */
final class NearNames {
    private NearNames() {}

    /** Returns the names, the nearest first. */
    static List<String> to(String text, Collection<String> names) {
        return names.stream()
                .sorted(Comparator.comparingDouble((String name) -> -likeness(text, name))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Returns 1 for the same pairs of letters, 0 for none in common. */
    static double likeness(String left, String right) {
        Map<String, Integer> pairs = pairs(left);
        Map<String, Integer> others = pairs(right);
        int shared = 0;
        for (Map.Entry<String, Integer> pair : pairs.entrySet()) {
            shared += Math.min(pair.getValue(), others.getOrDefault(pair.getKey(), 0));
        }
        int all = size(pairs) + size(others);
        return all == 0 ? 0 : 2.0 * shared / all;
    }

    private static Map<String, Integer> pairs(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        Map<String, Integer> pairs = new HashMap<>();
        for (int i = 0; i + 2 <= lower.length(); i++) {
            pairs.merge(lower.substring(i, i + 2), 1, Integer::sum);
        }
        return pairs;
    }

    private static int size(Map<String, Integer> pairs) {
        return pairs.values().stream().mapToInt(Integer::intValue).sum();
    }
}

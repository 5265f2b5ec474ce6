package dev.registrar.decision;

import dev.registrar.eventstore.Query;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The implementations of the common facts that {@link Fact} creates. */
final class ReadyFacts {

    record Count<E>(Query query) implements Fact<E, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Long apply(Long events, E event) {
            return events + 1;
        }
    }

    record Exists<E>(Query query) implements Fact<E, Boolean> {
        @Override
        public Boolean initial() {
            return false;
        }

        @Override
        public Boolean apply(Boolean before, E event) {
            return true;
        }
    }

    record Last<E, T extends E>(Class<T> events, Query query) implements Fact<E, Optional<T>> {
        @Override
        public Optional<T> initial() {
            return Optional.empty();
        }

        @Override
        public Optional<T> apply(Optional<T> before, E event) {
            return events.isInstance(event) ? Optional.of(events.cast(event)) : before;
        }
    }

    record Sum<E, T extends E>(Class<T> events, Query query, ToLongFunction<? super T> value) implements Fact<E, Long> {
        @Override
        public Long initial() {
            return 0L;
        }

        @Override
        public Long apply(Long sum, E event) {
            return events.isInstance(event) ? Math.addExact(sum, value.applyAsLong(events.cast(event))) : sum;
        }
    }

    record Grouped<E, K, S>(Fact<E, S> each, Function<? super E, ? extends Collection<K>> keys, int most)
            implements Fact<E, Map<K, S>> {
        Grouped {
            if (most < 1) {
                throw new IllegalArgumentException(
                        "The maximum number of groups must be 1 or more but is %s".formatted(most));
            }
        }

        @Override
        public Query query() {
            return each.query();
        }

        @Override
        public Map<K, S> initial() {
            return Map.of();
        }

        @Override
        public Map<K, S> apply(Map<K, S> groups, E event) {
            Collection<K> concerned = keys.apply(event);
            if (concerned.isEmpty()) {
                return groups;
            }
            Map<K, S> after = new HashMap<>(groups);
            for (K key : concerned) {
                after.put(key, each.apply(after.containsKey(key) ? after.get(key) : each.initial(), event));
            }
            if (after.size() > most) {
                throw new IllegalStateException(
                        "Too many groups (limit %s) in a fact about %s; narrow its query or raise its limit"
                                .formatted(most, query()));
            }
            return Collections.unmodifiableMap(after);
        }

        @Override
        public int weight(Map<K, S> groups) {
            long weight = 1L + groups.size() / 8;
            for (S state : groups.values()) {
                weight += each.weight(state) - 1;
            }
            return (int) Math.min(weight, Integer.MAX_VALUE);
        }
    }

    private ReadyFacts() {}
}

package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The candidates for an event: every listener whose query matches, and few others. */
class SubscriptionIndexTest {
    private static final Mailbox MAILBOX = new Mailbox(1);

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final LiveFeed feed = new LiveFeed(store, new AppendSignals(store), new LiveOptions(1, 1));
    private final SubscriptionIndex index = new SubscriptionIndex();

    private Listener listener(Query query) {
        Listener listener = new Listener(feed, query, ReadCursor.after(Position.START), MAILBOX);
        index.add(listener);
        return listener;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void every_listener_whose_query_matches_is_a_candidate(long seed) {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        List<Listener> all = new ArrayList<>(
                IntStream.range(0, 200).mapToObj(i -> listener(query(random))).toList());
        Collections.shuffle(all, new Random(seed));

        for (int i = 0; i < 100; i++) {
            index.remove(all.removeLast());
            Event event = Event.of("Type" + random.nextInt(4), tags(random, 4), "{}");
            assertThat(index.candidates(event))
                    .containsAll(all.stream()
                            .filter(listener -> listener.query().matches(event))
                            .toList())
                    .isSubsetOf(all);
        }
        assertThat(index.all()).containsExactlyInAnyOrderElementsOf(all);
        all.forEach(index::remove);
        assertThat(index.isEmpty()).isTrue();
    }

    private static Query query(RandomGenerator random) {
        return new Query(IntStream.rangeClosed(0, random.nextInt(3))
                .mapToObj(i -> QueryItem.of(
                        Stream.generate(() -> "Type" + random.nextInt(4))
                                .limit(random.nextInt(3))
                                .toList(),
                        tags(random, 3)))
                .toList());
    }

    private static List<Tag> tags(RandomGenerator random, int most) {
        return Stream.generate(() -> new Tag("tag:" + random.nextInt(6)))
                .limit(random.nextInt(most))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"course:7", "course:1999"})
    void a_listener_for_another_tag_is_not_a_candidate(String tag) {
        List<Listener> all = IntStream.range(0, 2_000)
                .mapToObj(i -> listener(Query.of(QueryItem.tags("office:1", "course:" + i))))
                .toList();

        assertThat(index.candidates(Event.of("Noted", "{}", tag)))
                .containsExactly(all.get(Integer.parseInt(tag.split(":", 2)[1])));
    }
}

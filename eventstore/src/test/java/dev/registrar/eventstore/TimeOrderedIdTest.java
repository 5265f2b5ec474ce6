package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeOrderedIdTest {

    @Test
    void an_id_is_a_uuid_of_version_7_with_the_time_of_its_making() {
        long before = System.currentTimeMillis();

        UUID id = TimeOrderedId.next();

        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        // Other tests may have made so many ids that the time in the ids is ahead of the clock.
        assertThat(id.getMostSignificantBits() >>> 16).isBetween(before, System.currentTimeMillis() + 60_000);
    }

    @Test
    void the_ids_of_a_maker_increase_and_all_ids_are_unique() {
        List<List<UUID>> made = IntStream.range(0, 8)
                .parallel()
                .mapToObj(maker ->
                        Stream.generate(TimeOrderedId::next).limit(20_000).toList())
                .toList();

        // As text, since Java compares the halves of a UUID as signed numbers.
        assertThat(made).allSatisfy(ids -> assertThat(ids).isSortedAccordingTo(Comparator.comparing(UUID::toString)));
        assertThat(made.stream().flatMap(List::stream).distinct()).hasSize(160_000);
    }

    @Test
    void the_random_bits_of_ids_differ() {
        assertThat(Stream.generate(TimeOrderedId::next)
                        .limit(1_000)
                        .map(UUID::getLeastSignificantBits)
                        .distinct())
                .hasSize(1_000);
    }
}

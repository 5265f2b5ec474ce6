package dev.registrar.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.Skip;
import dev.registrar.testdatabase.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay to a real Kafka broker, both in processes of their own. */
@Tag("thorough")
class KilledRelayTest {
    /** How often each of the two processes is killed. */
    private static final int KILLS = Integer.getInteger("registrar.relay.kills", 3);

    private static final int KEYS = 40;
    private static final int EVENTS_BETWEEN_KILLS = 500;

    @TempDir
    private Path folder;

    private StoreDatabase database;
    private EventStore store;
    private Broker broker;
    private Reader reader;

    @BeforeEach
    void open() throws Exception {
        database = new StoreDatabase();
        store = database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of()));
        broker = new Broker(folder.resolve("broker"));
        reader = new Reader(broker);
    }

    @AfterEach
    void close() throws Exception {
        reader.consumer.close();
        broker.kill();
        ((PostgresEventStore) store).close();
        database.close();
    }

    /** Reads all partitions of the topic from their beginning. */
    private static final class Reader {
        private final KafkaConsumer<String, String> consumer;
        private final List<ConsumerRecord<String, String>> read = new ArrayList<>();
        /** The number of messages so far. */
        private volatile int count;

        Reader(Broker broker) {
            consumer = new KafkaConsumer<>(
                    Map.of("bootstrap.servers", broker.bootstrapServers(), "auto.offset.reset", "earliest"),
                    new StringDeserializer(),
                    new StringDeserializer());
            consumer.assign(IntStream.range(0, Broker.PARTITIONS)
                    .mapToObj(partition -> new TopicPartition(Broker.TOPIC, partition))
                    .toList());
        }

        /** The messages so far, those of a partition in their order. */
        List<ConsumerRecord<String, String>> messages() {
            consumer.poll(Duration.ofMillis(200)).forEach(read::add);
            count = read.size();
            return read;
        }
    }

    private static String header(ConsumerRecord<String, String> message, String name) {
        return new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static long position(ConsumerRecord<String, String> message) {
        return Long.parseLong(header(message, "ce_position"));
    }

    private void append(int events) {
        long first = store.head().position().value();
        store.append(Append.of(IntStream.range(0, events)
                .mapToObj(i -> Event.of("Told", "{}", "key:" + (first + i) % KEYS))
                .toList()));
    }

    /*
     * Events are appended all the time. In each round the relay is killed, and later the broker, each after a number of
     * further messages, so in the middle of its work.
     */
    @Test
    void killed_relays_and_brokers_lose_no_event_and_keep_the_order_of_each_key() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Thread appending = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                // Not too far ahead of a relay that is killed again and again.
                if (store.head().position().value() < reader.count + 5_000) {
                    append(50);
                }
            }
        });
        TestDatabase of = database.database();
        Path output = folder.resolve("relay-output");
        Process relay = RelayingProgram.start(of, broker, output);
        try {
            for (int kill = 0; kill < KILLS; kill++) {
                awaitFurtherMessages();
                relay.destroyForcibly().waitFor();
                relay = RelayingProgram.start(of, broker, output);
                awaitFurtherMessages();
                broker.killAndStart();
            }
            awaitFurtherMessages();
            over.set(true);
            appending.join();
            awaitAllMessages();

            int before = reader.messages().size();
            int duplicates = before - (int) store.head().position().value();
            // A killed relay repeats a batch at most, and a producer that waits for a broker repeats none.
            assertThat(duplicates).isBetween(0, KILLS * 100);
            for (int i = 0; i < 20; i++) {
                append(100);
            }
            awaitAllMessages();
            assertThat(reader.messages()).hasSize(before + 2_000);
        } finally {
            over.set(true);
            relay.destroyForcibly().waitFor();
        }

        Map<String, Long> last = new HashMap<>();
        for (ConsumerRecord<String, String> message : reader.messages()) {
            long previous = last.getOrDefault(message.key(), 0L);
            long next = position(message);
            // The first message of each position follows the one of the position before of its key.
            assertThat(next <= previous || previous == 0 || next == previous + KEYS)
                    .as("%s after %s", next, previous)
                    .isTrue();
            last.put(message.key(), Math.max(previous, next));
        }
    }

    private void awaitFurtherMessages() {
        int before = reader.messages().size();
        await().until(() -> reader.messages().size() >= before + EVENTS_BETWEEN_KILLS);
    }

    private void awaitAllMessages() {
        long head = store.head().position().value();
        Set<Long> missing =
                new HashSet<>(LongStream.rangeClosed(1, head).boxed().toList());
        await().until(() -> {
            reader.messages().forEach(message -> missing.remove(position(message)));
            return missing.isEmpty();
        });
    }

    @Test
    void a_message_is_a_cloudevent_and_one_that_the_broker_refuses_is_parked_with_its_key() throws Exception {
        append(1);
        store.append(Append.of(List.of(
                Event.of("Told", "{\"text\": \"%s\"}".formatted("x".repeat(200_000)), "key:large"),
                Event.of("Told", "{}", "key:large"),
                Event.of("Told", "{}"))));
        EventRelay kafka = RelayingProgram.relay(broker.bootstrapServers(), 10);
        try (ProjectionRunner runner = ProjectionRunner.builder(
                        database.database().pool(5), store, List.of(kafka))
                .options(ProjectionOptions.with(options -> options.attempts = 1))
                .build()) {
            await().until(() -> {
                runner.catchUp();
                return reader.messages().size() >= 2;
            });

            assertThat(runner.administration().deadLetters("kafka", Position.START, 10))
                    .extracting(Skip::position)
                    .containsExactly(Position.of(2), Position.of(3));
        } finally {
            kafka.close();
        }
        assertThat(reader.messages()).extracting(KilledRelayTest::position).containsExactlyInAnyOrder(1L, 4L);
        ConsumerRecord<String, String> first = reader.messages().stream()
                .filter(message -> position(message) == 1)
                .findFirst()
                .orElseThrow();
        assertThat(first.key()).isEqualTo("key:0");
        assertThat(first.value()).isEqualTo("{}");
        assertThat(header(first, "ce_specversion")).isEqualTo("1.0");
        assertThat(header(first, "ce_type")).isEqualTo("Told");
        assertThat(header(first, "ce_subject")).isEqualTo("key:0");
        assertThat(header(first, "ce_source"))
                .isEqualTo("urn:registrar:" + store.head().incarnation());
        assertThat(header(first, "content-type")).isEqualTo("application/json");
    }
}

package dev.registrar.relay;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.PublisherUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Publishes events to Kafka, as CloudEvents in the binary mode: attributes in headers, the payload as value. */
public final class KafkaPublisher implements Publisher {
    /*
     * Why the order of a key is kept: an event is sent when the one before it of the same key is acknowledged. Sent
     * together, the second one could be stored although the broker refuses the first one. So events are sent in rounds,
     * each with one event of each key: the rate of one key is that of single acknowledgements.
     */
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

    private final Map<String, Object> settings;
    private final Function<SequencedEvent, String> topics;
    /** Null until the first event, and after a failure that the producer may not recover from. */
    private @Nullable Producer<byte[], byte[]> producer;

    /**
     * Creates a publisher, which connects when it publishes.
     *
     * @param settings of the producer. Those for acknowledgements, idempotence and serializers are replaced
     * @param topics the topic of an event
     */
    public KafkaPublisher(Map<String, ?> settings, Function<SequencedEvent, String> topics) {
        this.settings = new HashMap<>(settings);
        this.settings.put(ProducerConfig.ACKS_CONFIG, "all");
        this.settings.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        this.settings.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        this.settings.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
        this.topics = topics;
    }

    @Override
    public synchronized Map<Position, String> publish(List<CloudEvent> events) {
        Map<Position, String> refused = new HashMap<>();
        Set<String> waitedFor = new HashSet<>();
        List<CloudEvent> rest = events;
        while (!rest.isEmpty()) {
            List<CloudEvent> round = new ArrayList<>();
            List<CloudEvent> later = new ArrayList<>();
            Set<String> keys = new HashSet<>();
            for (CloudEvent event : rest) {
                String key = event.key();
                if (key == null || keys.add(key)) {
                    round.add(event);
                } else {
                    later.add(event);
                }
            }
            refused.putAll(send(round, waitedFor));
            rest = later.stream()
                    .filter(event -> !waitedFor.contains(event.key()))
                    .toList();
        }
        return refused;
    }

    private record Sent(CloudEvent event, Future<RecordMetadata> acknowledged) {}

    /* Waits for all acknowledgements before it reports a failure, so that no event arrives during the next attempt. */
    private Map<Position, String> send(List<CloudEvent> round, Set<String> waitedFor) {
        Map<Position, String> refused = new HashMap<>();
        @Nullable Exception unavailable = null;
        try {
            Producer<byte[], byte[]> open = producer();
            List<Sent> sent = new ArrayList<>();
            for (CloudEvent event : round) {
                sent.add(new Sent(event, open.send(message(event))));
            }
            open.flush();
            for (Sent each : sent) {
                try {
                    each.acknowledged().get();
                } catch (ExecutionException failure) {
                    if (isRefusal(failure.getCause())) {
                        refused.put(each.event().position(), String.valueOf(failure.getCause()));
                        if (each.event().key() != null) {
                            waitedFor.add(each.event().key());
                        }
                    } else {
                        unavailable = failure;
                    }
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            unavailable = interrupted;
        } catch (RuntimeException failure) {
            // The settings are wrong, or the producer has failed for good.
            unavailable = failure;
        }
        if (unavailable != null) {
            Throwable cause = unavailable.getCause();
            if (!(cause instanceof RetriableException)) {
                close();
            }
            throw new PublisherUnavailableException(
                    "Kafka has not acknowledged all events: " + (cause == null ? unavailable : cause), unavailable);
        }
        return refused;
    }

    private static boolean isRefusal(@Nullable Throwable cause) {
        return cause instanceof RecordTooLargeException
                || cause instanceof InvalidRecordException
                || cause instanceof InvalidTopicException;
    }

    private Producer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = new KafkaProducer<>(settings);
        }
        return producer;
    }

    private ProducerRecord<byte[], byte[]> message(CloudEvent event) {
        String key = event.key();
        ProducerRecord<byte[], byte[]> message = new ProducerRecord<>(
                topics.apply(event.stored()), key == null ? null : bytes(key), bytes(event.data()));
        event.attributes().forEach((name, value) -> message.headers().add("ce_" + name, bytes(value)));
        message.headers().add("content-type", bytes(event.contentType()));
        return message;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close(CLOSE_TIME);
            producer = null;
        }
    }
}

package dev.registrar.autoconfigure;

import dev.registrar.options.Bounds;
import dev.registrar.relay.RelayOptions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The relays that publish all events.
 *
 * @param maxParked events that a relay may park; with as many, it stops
 * @param keyPrefixes the beginnings of the tags that are keys; the key of an event is its first tag with the first of
 *     these prefixes that one of its tags has
 * @param source the beginning of the CloudEvents attribute source; the incarnation of the store follows
 */
@ConfigurationProperties("registrar.relay")
record RelaySettings(
        @DefaultValue("10000") int maxParked,
        @DefaultValue("") List<String> keyPrefixes,
        @DefaultValue("urn:registrar:") String source,
        @DefaultValue Kafka kafka,
        @DefaultValue Http http) {

    /**
     * The relay to Kafka.
     *
     * @param topic the topic to which events are published; without it there is no relay to Kafka
     * @param batch events that are published together
     */
    record Kafka(
            @Nullable String topic, @DefaultValue("2000") int batch) {

        Kafka {
            Bounds.check("relay.kafka.batch", batch, 1, RelayOptions.MAX_BATCH);
        }
    }

    /**
     * The relay by HTTP.
     *
     * @param url the address to which events are posted; without it there is no relay by HTTP
     * @param secret the key of the signatures, which the receiver knows; required with an address
     * @param timeout how long an answer may take
     * @param batch events in one request
     */
    record Http(
            @Nullable String url,
            @Nullable String secret,
            @DefaultValue("30s") Duration timeout,
            @DefaultValue("100") int batch) {

        Http {
            Bounds.check("relay.http.timeout", timeout, Duration.ofMillis(10), Duration.ofMinutes(10));
            Bounds.check("relay.http.batch", batch, 1, RelayOptions.MAX_BATCH);
            if (url != null && (secret == null || secret.isBlank())) {
                throw new IllegalArgumentException(
                        "registrar.relay.http.url has no registrar.relay.http.secret, which signs the requests: set both");
            }
        }

        URI address() {
            return URI.create(String.valueOf(url));
        }

        /** Without the secret, and without the URL, which may contain one. */
        @Override
        public String toString() {
            return "Http[timeout=%s, batch=%s]".formatted(timeout, batch);
        }
    }

    RelaySettings {
        options(1, maxParked, keyPrefixes, source);
    }

    RelayOptions options(int batch) {
        return options(batch, maxParked, keyPrefixes, source);
    }

    private static RelayOptions options(int batch, int maxParked, List<String> keyPrefixes, String source) {
        return new RelayOptions(batch, maxParked, keyPrefixes.isEmpty() ? List.of("") : keyPrefixes, source);
    }
}

package dev.registrar.relay;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.PublisherUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Publishes events by HTTP: each batch is a POST of {@code application/cloudevents-batch+json}. An answer 2xx
 * acknowledges all events of the request. After another answer that concerns the events, they are sent one by one.
 *
 * <p>The header {@value #SIGNATURE} has the form {@code t=…,v1=…}: the seconds since 1970, and the HMAC-SHA-256, in
 * hexadecimal digits, of these seconds, a full stop and the body.
 */
public final class HttpPublisher implements Publisher {
    /** The header with the signature. */
    public static final String SIGNATURE = "Registrar-Signature";

    private static final String HMAC = "HmacSHA256";
    private static final Duration CONNECT_TIME = Duration.ofSeconds(5);

    /** Answers that concern no certain event: the address, the login, or a server that is away or busy. */
    private static final Set<Integer> UNAVAILABLE =
            Set.of(401, 403, 404, 405, 407, 408, 421, 425, 429, 502, 503, 504, 511);

    private final SecretKeySpec secret;
    private final HttpRequest.Builder request;
    private final Duration timeout;
    private final InstantSource clock;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_TIME)
            .build();

    /**
     * Creates a publisher.
     *
     * @param url of the scheme http or https
     * @param secret the key of the signatures, which the receiver knows, 1 character or more
     * @param timeout maximum time until the end of an answer
     * @param clock the time of the signatures
     * @throws IllegalArgumentException if the URL is of another scheme, or the secret is empty
     */
    public HttpPublisher(URI url, String secret, Duration timeout, InstantSource clock) {
        if (secret.isEmpty()) {
            throw new IllegalArgumentException("The secret of the signatures must have at least one character");
        }
        this.secret = new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), HMAC);
        this.request = HttpRequest.newBuilder(url)
                .timeout(timeout)
                .header("Content-Type", "application/cloudevents-batch+json; charset=UTF-8");
        this.timeout = timeout;
        this.clock = clock;
    }

    @Override
    public Map<Position, String> publish(List<CloudEvent> events) {
        int status = post(events);
        if (isSuccess(status)) {
            return Map.of();
        }
        Map<Position, String> refused = new HashMap<>();
        Set<String> waitedFor = new HashSet<>();
        for (CloudEvent event : events) {
            String key = event.key();
            if (key != null && waitedFor.contains(key)) {
                continue;
            }
            int own = events.size() == 1 ? status : post(List.of(event));
            if (!isSuccess(own)) {
                refused.put(event.position(), "The receiver has answered with status %s".formatted(own));
                if (key != null) {
                    waitedFor.add(key);
                }
            }
        }
        return refused;
    }

    private static boolean isSuccess(int status) {
        return status >= 200 && status < 300;
    }

    private int post(List<CloudEvent> events) {
        byte[] body = events.stream()
                .map(CloudEvent::json)
                .collect(Collectors.joining(",", "[", "]"))
                .getBytes(StandardCharsets.UTF_8);
        HttpRequest signed = request.copy()
                .header(SIGNATURE, signature(body))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        try {
            int status = status(signed);
            if (UNAVAILABLE.contains(status) || status < 200 || (status >= 300 && status < 400)) {
                throw new PublisherUnavailableException(
                        "The receiver of the relay has answered with status %s".formatted(status), null);
            }
            return status;
        } catch (IOException failure) {
            throw new PublisherUnavailableException("The receiver of the relay has not answered: " + failure, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new PublisherUnavailableException("A request of the relay was interrupted", interrupted);
        }
    }

    /* The time-out of the request ends at the head of the answer. */
    private int status(HttpRequest signed) throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(signed, BodyHandlers.discarding());
        try {
            return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS).statusCode();
        } catch (ExecutionException failure) {
            throw new IOException(failure.getCause());
        } catch (TimeoutException tooLate) {
            throw new IOException(tooLate);
        } finally {
            answer.cancel(true);
        }
    }

    private String signature(byte[] body) {
        try {
            String time = Long.toString(clock.instant().getEpochSecond());
            Mac mac = Mac.getInstance(HMAC);
            mac.init(secret);
            mac.update((time + ".").getBytes(StandardCharsets.UTF_8));
            return "t=%s,v1=%s".formatted(time, HexFormat.of().formatHex(mac.doFinal(body)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}

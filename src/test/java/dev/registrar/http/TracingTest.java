package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Traces, which a setting enables. */
@ServiceWithOtherSettingsTest
class TracingTest {

    /* The span of a request ends after its response; it is exported every 5 s, or at once if that is asked for. */
    @Test
    void a_write_is_traced_with_its_position(
            @LocalServerPort int port,
            @Autowired SdkTracerProvider tracing,
            @Autowired ServiceWithOtherSettingsTest.Spans spans) {
        long position = new Api(port)
                .post("/api/courses", "{\"title\": \"Latin\", \"capacity\": 1}")
                .position();

        await().untilAsserted(() -> {
            tracing.forceFlush();
            assertThat(spans.exported)
                    .extracting(span -> span.getAttributes().get(AttributeKey.stringKey("registrar.position")))
                    .contains(Long.toString(position));
        });
    }
}

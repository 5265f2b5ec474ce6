package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.RegistrarApplication;
import dev.registrar.TestDatabase;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** Traces, which a setting enables. */
class TracingTest {
    private final Queue<SpanData> spans = new ConcurrentLinkedQueue<>();

    @Test
    void a_write_is_traced_with_its_position() {
        try (TestDatabase database = TestDatabase.create();
                ConfigurableApplicationContext service = new SpringApplicationBuilder(RegistrarApplication.class)
                        .initializers((GenericApplicationContext context) ->
                                context.registerBean(SpanExporter.class, CollectingExporter::new))
                        .run(
                                "--server.port=0",
                                "--spring.datasource.url=" + database.url(),
                                "--spring.datasource.username=" + database.username(),
                                "--spring.datasource.password=" + database.password(),
                                "--management.opentelemetry.enabled=true",
                                "--management.tracing.sampling.probability=1")) {
            Api api = new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));

            assertThat(api.post("/api/courses", "{\"title\": \"Latin\", \"capacity\": 1}")
                            .position())
                    .isEqualTo(1);
        }

        // A stopping service exports its spans at once; otherwise it does so every 5 s.
        assertThat(spans)
                .extracting(span -> span.getAttributes().get(AttributeKey.stringKey("registrar.position")))
                .contains("1");
    }

    private final class CollectingExporter implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            spans.addAll(ended);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }
}

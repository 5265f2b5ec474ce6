package dev.registrar.http;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Collection;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * As {@link ServiceTest}, but with every setting that differs from its default in a test over HTTP and does not change
 * what the other tests see. All such tests share one service; a test that clears its store uses no other test's data.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ServiceTest
@Import({ServiceWithOtherSettingsTest.Servers.class, ServiceWithOtherSettingsTest.Spans.class})
@TestPropertySource(
        properties = {
            "registrar.erasure.enabled=false",
            "registrar.retagging.enabled=false",
            "registrar.load-test.enabled=true",
            "registrar.dcb.lock-tags=true",
            "registrar.store.validate-json=true",
            "registrar.live.heartbeat=200ms",
            "registrar.live.max-listeners=40",
            "registrar.http.admission.max-concurrent-requests=20",
            "server.http2.enabled=true",
            "server.tomcat.max-connections=100",
            "management.server.port=0",
            "management.server.address=127.0.0.1",
            "management.opentelemetry.enabled=true",
            "management.tracing.sampling.probability=1"
        })
public @interface ServiceWithOtherSettingsTest {
    int MAX_LISTENERS = 40;
    int MAX_CONNECTIONS = 100;

    /** The most connections of each port, as its server knows them. */
    final class Servers implements ApplicationListener<WebServerInitializedEvent> {
        final Map<Integer, Object> maxConnections = new ConcurrentHashMap<>();

        @Override
        public void onApplicationEvent(WebServerInitializedEvent started) {
            TomcatWebServer server = (TomcatWebServer) started.getWebServer();
            maxConnections.put(
                    server.getPort(), server.getTomcat().getConnector().getProperty("maxConnections"));
        }
    }

    /** The spans that the service has exported. */
    final class Spans implements SpanExporter {
        final Queue<SpanData> exported = new ConcurrentLinkedQueue<>();

        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            exported.addAll(ended);
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

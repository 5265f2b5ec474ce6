package dev.registrar.http.admission;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/**
 * A virtual thread for each request, of which so many run at a time. Tomcat takes 72 KiB of buffers for a request when
 * it begins to read it, whether {@link AdmissionFilter} then lets it in or not, and a thread costs next to nothing:
 * without a bound, as many requests at once as there are connections fill the heap. Those that wait here are unread.
 */
@Component
final class RequestThreads
        implements Executor, WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, MeterBinder {
    /** More than are let in, so that somebody is there to turn others away and to answer for health. */
    private static final int TURNED_AWAY_AT_A_TIME = 64;

    private final ThreadFactory threads = Thread.ofVirtual().name("request-", 1).factory();
    private final Semaphore room;

    @Autowired
    RequestThreads(HttpSettings settings) {
        this(settings.admission().maxConcurrentRequests() + TURNED_AWAY_AT_A_TIME);
    }

    RequestThreads(int atATime) {
        // Who came first is first: requests that have just come would pass those that wait.
        room = new Semaphore(atATime, true);
    }

    @Override
    public void execute(Runnable request) {
        threads.newThread(() -> {
                    room.acquireUninterruptibly();
                    try {
                        request.run();
                    } finally {
                        room.release();
                    }
                })
                .start();
    }

    /* After Spring Boot's own, which has no bound. */
    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addProtocolHandlerCustomizers(protocol -> protocol.setExecutor(this));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("registrar.http.requests.waiting", room, Semaphore::getQueueLength)
                .description("Requests, and ends of connections, that wait until others have been answered")
                .baseUnit("requests")
                .register(registry);
    }
}

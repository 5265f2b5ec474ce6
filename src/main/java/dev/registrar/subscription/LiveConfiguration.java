package dev.registrar.subscription;

import dev.registrar.eventstore.EventStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires subscriptions and the live feed to the store. */
@Configuration(proxyBeanMethods = false)
class LiveConfiguration {

    @Bean
    Subscriptions subscriptions(EventStore store, AppendSignals arrivals) {
        return new Subscriptions(store, arrivals);
    }

    @Bean
    LiveFeed liveFeed(EventStore store, AppendSignals arrivals, LiveSettings settings, MeterRegistry registry) {
        LiveFeed feed = new LiveFeed(store, arrivals, settings);
        Gauge.builder("registrar.live.listeners", feed, LiveFeed::listeners)
                .description("Those who listen to events as they are appended")
                .baseUnit("listeners")
                .register(registry);
        return feed;
    }

    @Bean
    SmartLifecycle liveFeedLife(LiveFeed feed) {
        return new LiveFeedLife(feed);
    }

    /* In the default phase, which ends before the web server's: listeners are told, and not just cut off. */
    private static final class LiveFeedLife implements SmartLifecycle {
        private final LiveFeed feed;
        private volatile boolean running;

        private LiveFeedLife(LiveFeed feed) {
            this.feed = feed;
        }

        @Override
        public void start() {
            feed.open();
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            feed.close();
        }

        @Override
        public boolean isRunning() {
            return running;
        }
    }
}

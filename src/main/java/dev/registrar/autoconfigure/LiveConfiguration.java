package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.LiveFeed;
import dev.registrar.subscription.Notifications;
import dev.registrar.subscription.Subscriptions;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires append signals, notifications, subscriptions and the live feed to the store. */
@Configuration(proxyBeanMethods = false)
class LiveConfiguration {

    @Bean
    AppendSignals appendSignals(EventStore store) {
        return AppendSignals.of(store);
    }

    @Bean(initMethod = "start")
    @ConditionalOnBooleanProperty(value = "registrar.projections.notifications", matchIfMissing = true)
    Notifications notifications(
            DataSource connections, AppendSignals signals, @Value("${registrar.store.schema}") String schema) {
        return new Notifications(connections, signals, schema);
    }

    @Bean
    Subscriptions subscriptions(EventStore store, AppendSignals signals) {
        return new Subscriptions(store, signals);
    }

    @Bean
    LiveFeed liveFeed(EventStore store, AppendSignals signals, LiveSettings settings, MeterRegistry registry) {
        LiveFeed feed = new LiveFeed(store, signals, settings.options());
        Gauge.builder("registrar.live.listeners", feed, LiveFeed::listeners)
                .description("Those who listen to events as they are appended")
                .baseUnit("listeners")
                .register(registry);
        return feed;
    }

    @Bean
    SmartLifecycle liveFeedLifecycle(LiveFeed feed) {
        return new LiveFeedLifecycle(feed);
    }

    /* In the default phase, which stops before the web server's: listeners receive their end before the connection does. */
    private static final class LiveFeedLifecycle implements SmartLifecycle {
        private final LiveFeed feed;
        private volatile boolean running;

        private LiveFeedLifecycle(LiveFeed feed) {
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

package dev.registrar.autoconfigure;

import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.LiveFeed;
import dev.registrar.subscription.Notifications;
import dev.registrar.subscription.Subscriptions;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Wires append signals, notifications, subscriptions and the live feed to the application's store. If several beans are
 * an {@code EventStore}, one of them must be primary.
 */
@AutoConfiguration(after = EventStoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(EventStore.class)
public class LiveAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AppendSignals registrarAppendSignals(EventStore store, ObjectProvider<AppendSource> sources) {
        // If a decorator does not report appends, the store behind it may be a bean that does.
        AppendSource source = store instanceof AppendSource itself ? itself : sources.getIfUnique();
        return source == null ? AppendSignals.of(store) : new AppendSignals(source);
    }

    @Bean(initMethod = "start")
    @ConditionalOnMissingBean
    @ConditionalOnBean(PostgresEventStore.class)
    @ConditionalOnSingleCandidate(DataSource.class)
    @ConditionalOnBooleanProperty(value = "registrar.projections.notifications", matchIfMissing = true)
    Notifications registrarNotifications(DataSource connections, AppendSignals signals, StoreOptions options) {
        return new Notifications(connections, signals, options.schema());
    }

    @Bean
    @ConditionalOnMissingBean
    Subscriptions registrarSubscriptions(EventStore store, AppendSignals signals) {
        return new Subscriptions(store, signals);
    }

    @Bean
    @ConditionalOnMissingBean
    LiveFeed registrarLiveFeed(
            EventStore store,
            ObjectProvider<ReadReplica> replica,
            AppendSignals signals,
            ObjectProvider<MeterRegistry> metrics,
            Environment environment) {
        ReadReplica second = replica.getIfAvailable();
        LiveFeed feed = new LiveFeed(
                store,
                second == null ? store::read : second::read,
                signals,
                new OptionsBinder(Binder.get(environment)).live());
        Gauge.builder("registrar.live.listeners", feed::listeners)
                .description("Live listeners")
                .baseUnit("listeners")
                .register(metrics.getIfAvailable(CompositeMeterRegistry::new));
        return feed;
    }

    @Bean
    SmartLifecycle registrarLiveFeedLifecycle(LiveFeed feed) {
        return new LiveFeedLifecycle(feed);
    }

    /* Stops in the default phase, before the web server: listeners receive the end before the connection closes. */
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

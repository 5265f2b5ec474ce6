package dev.registrar.autoconfigure;

import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.StoredStates;
import dev.registrar.eventstore.EventStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/**
 * The decision loop of an application that has an {@code EventCodec} bean, and the stored states of its facts. An
 * application with several codecs, of which none is primary, defines a loop for each.
 */
@AutoConfiguration(after = EventStoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(EventStore.class)
@EnableConfigurationProperties(DecisionSettings.class)
public class DecisionAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    StoredStates registrarStoredStates(
            EventStore store, DecisionSettings settings, ObjectProvider<MeterRegistry> meters) {
        return settings.storedStates()
                ? StoredStates.in(store, meters.getIfAvailable(CompositeMeterRegistry::new))
                : StoredStates.off();
    }

    @Bean
    @ConditionalOnSingleCandidate(EventCodec.class)
    @ConditionalOnMissingBean(DecisionLoop.class)
    <E> DecisionLoop<E> registrarDecisionLoop(
            EventStore store, EventCodec<E> codec, InstantSource clock, StoredStates stored) {
        return new DecisionLoop<>(
                store,
                codec,
                RetryBounds.DEFAULT,
                DecisionLoop.CACHED_STATES,
                ApplicationClock.orOf(store, clock),
                ContentionRecorder.off(),
                stored);
    }
}

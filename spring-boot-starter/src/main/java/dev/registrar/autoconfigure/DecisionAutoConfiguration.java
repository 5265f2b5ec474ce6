package dev.registrar.autoconfigure;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.eventstore.EventStore;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * The decision loop of an application that has an {@code EventCodec} bean. An application with several codecs, of which
 * none is primary, defines a loop for each.
 */
@AutoConfiguration(after = EventStoreAutoConfiguration.class)
@ConditionalOnSingleCandidate(EventStore.class)
public class DecisionAutoConfiguration {

    @Bean
    @ConditionalOnSingleCandidate(EventCodec.class)
    @ConditionalOnMissingBean(DecisionLoop.class)
    <E> DecisionLoop<E> registrarDecisionLoop(EventStore store, EventCodec<E> codec, InstantSource clock) {
        return new DecisionLoop<>(store, codec, ApplicationClock.orOf(store, clock));
    }
}

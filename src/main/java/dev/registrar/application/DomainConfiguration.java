package dev.registrar.application;

import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.StoredStates;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.projection.commands.CommandsView;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Connects the decision loop to the domain and the clock. */
@Configuration(proxyBeanMethods = false)
class DomainConfiguration {

    @Bean
    EnrollmentEventCodec enrollmentEventCodec(MeterRegistry metrics) {
        return new EnrollmentEventCodec(metrics);
    }

    @Bean
    EnrollmentSettings enrollmentSettings(RegistrarSettings settings) {
        return new EnrollmentSettings(settings.coursesPerStudent());
    }

    @Bean
    ContentionRecorder contentionRecorder(InstantSource clock) {
        return new ContentionRecorder(clock);
    }

    @Bean
    DecisionLoop<EnrollmentEvent> decisionLoop(
            EventStore store,
            EnrollmentEventCodec codec,
            RegistrarSettings settings,
            ContentionRecorder contention,
            StoredStates stored) {
        RetryBounds bounds = new RetryBounds(
                settings.decisionDeadline(),
                settings.decisionAttempts(),
                RetryBounds.DEFAULT.shortestPause(),
                RetryBounds.DEFAULT.longestPause());
        return new DecisionLoop<>(store, codec, bounds, settings.cachedStates(), store.clock(), contention, stored);
    }

    @Bean
    Permits projections(PostgresEventStore store) {
        return store.projections();
    }

    @Bean
    CommandsView commandsView() {
        return new CommandsView(Query.of(EnrollmentEventCodec.types(EnrollmentEvent.class)));
    }
}

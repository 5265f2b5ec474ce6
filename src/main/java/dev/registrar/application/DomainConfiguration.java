package dev.registrar.application;

import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.StoredStates;
import dev.registrar.embedded.EmbeddedTagSecret;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.TagSecret;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.projection.commands.CommandsView;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Connects the decision loop to the domain and the clock. */
@Configuration(proxyBeanMethods = false)
class DomainConfiguration {

    @Bean
    EnrollmentEventCodec enrollmentEventCodec(MeterRegistry metrics, TagSecret secret) {
        return new EnrollmentEventCodec(metrics, secret);
    }

    /* Every decision needs the codec, so none is made before the secret is checked. */
    @Bean
    TagSecret tagSecret(
            RegistrarSettings settings, ObjectProvider<EmbeddedTagSecret> embedded, PostgresEventStore store) {
        String given = settings.tagSecret();
        TagSecret secret = secret(
                given == null
                        ? embedded.stream()
                                .findAny()
                                .orElseThrow(DomainConfiguration::noSecret)
                                .text()
                        : given);
        store.requireTagSecret(secret);
        return secret;
    }

    /* A failed validation of the settings would show the value. */
    private static TagSecret secret(String text) {
        try {
            return TagSecret.of(text);
        } catch (IllegalArgumentException tooShort) {
            throw new StoreStartFailure(
                    String.valueOf(tooShort.getMessage()),
                    "Set registrar.enrollment.tag-secret to random characters, such as the output of \"openssl rand -hex 32\".",
                    tooShort);
        }
    }

    private static StoreStartFailure noSecret() {
        return new StoreStartFailure(
                "The setting registrar.enrollment.tag-secret is missing.",
                "Set it to at least %s random characters, such as the output of \"openssl rand -hex 32\", and keep it as you keep backups: it is needed as long as the store."
                        .formatted(TagSecret.MIN_LENGTH),
                null);
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

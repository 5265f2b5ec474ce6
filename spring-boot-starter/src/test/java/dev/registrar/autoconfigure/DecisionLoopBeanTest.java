package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.autoconfigure.DecisionLoopBeanTest.NoteEvent.NoteTaken;
import dev.registrar.decision.CommutativeDecision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.JsonEventCodec;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Verdict;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The decision loop is a bean of an application that has a store and one codec for its events. */
class DecisionLoopBeanTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(StarterApplications.ours().toArray(Class<?>[]::new)))
            .withBean(EventStore.class, InMemoryEventStore::new);

    /** The events of an application. */
    sealed interface NoteEvent {

        record NoteTaken(Instant at) implements NoteEvent {}
    }

    record TakeNote() implements CommutativeDecision<NoteEvent, Void> {

        @Override
        public Verdict<NoteEvent, Void> decide(Instant now) {
            return Verdict.accept(new NoteTaken(now));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithCodec {

        @Bean
        JsonEventCodec<NoteEvent> codec() {
            return JsonEventCodec.of(NoteEvent.class, event -> List.of(Tag.of("note:1")));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithCommands {

        @Bean
        Notes notes(DecisionLoop<NoteEvent> loop) {
            return new Notes(loop);
        }
    }

    record Notes(DecisionLoop<NoteEvent> loop) {}

    @Test
    void a_codec_is_enough_for_a_loop_with_the_applications_store_and_clock() {
        application
                .withUserConfiguration(WithCodec.class, WithCommands.class)
                .withBean(Clock.class, () -> Clock.fixed(NOON, ZoneOffset.UTC))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Notes.class).loop().execute(new TakeNote()))
                            .isEqualTo(new Accepted<>(List.of(new NoteTaken(NOON)), Position.of(1), false));
                    assertThat(context.getBean(EventStore.class).count(Query.all()))
                            .isEqualTo(1);
                });
    }

    @Test
    void without_a_codec_or_with_several_there_is_no_loop() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DecisionLoop.class));
        application
                .withUserConfiguration(WithCodec.class)
                .withBean("other", EventCodec.class, () -> new WithCodec().codec())
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(DecisionLoop.class));
    }

    @Test
    void a_loop_of_the_application_replaces_the_default_one() {
        application
                .withUserConfiguration(WithCodec.class)
                .withBean(
                        "ours",
                        DecisionLoop.class,
                        () -> new DecisionLoop<>(
                                new InMemoryEventStore(), new WithCodec().codec(), InstantSource.system()))
                .run(context ->
                        assertThat(context).hasSingleBean(DecisionLoop.class).hasBean("ours"));
    }
}

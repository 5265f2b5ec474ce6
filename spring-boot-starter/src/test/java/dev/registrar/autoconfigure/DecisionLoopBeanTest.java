package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.autoconfigure.DecisionLoopBeanTest.NoteEvent.NoteTaken;
import dev.registrar.decision.CommutativeDecision;
import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.JsonEventCodec;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.StoredForm;
import dev.registrar.decision.StoredStates;
import dev.registrar.decision.Verdict;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
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

    /** The number of notes, stored after each. */
    record Notes(String topic) implements Fact<NoteEvent, Integer> {
        @Override
        public Query query() {
            return Query.of(QueryItem.types("NoteTaken"));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer notes, NoteEvent event) {
            return notes + 1;
        }

        @Override
        public Optional<StoredForm<Integer>> storedForm() {
            return Optional.of(new StoredForm<>(topic, 1, 1, String::valueOf, Integer::valueOf));
        }
    }

    record TakeCountedNote() implements Decision<NoteEvent, Void> {
        @Override
        public List<? extends Fact<NoteEvent, ?>> facts() {
            return List.of(new Notes("all"));
        }

        @Override
        public Verdict<NoteEvent, Void> decide(Facts<NoteEvent> facts, Instant now) {
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
        Commands commands(DecisionLoop<NoteEvent> loop) {
            return new Commands(loop);
        }
    }

    record Commands(DecisionLoop<NoteEvent> loop) {}

    @Test
    void a_codec_is_enough_for_a_loop_with_the_applications_store_and_clock() {
        application
                .withUserConfiguration(WithCodec.class, WithCommands.class)
                .withBean(Clock.class, () -> Clock.fixed(NOON, ZoneOffset.UTC))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Commands.class).loop().execute(new TakeNote()))
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
                        () -> new DecisionLoop<>(new InMemoryEventStore(), new WithCodec().codec()))
                .run(context ->
                        assertThat(context).hasSingleBean(DecisionLoop.class).hasBean("ours"));
    }

    @Test
    void states_of_long_facts_are_stored_unless_a_setting_turns_that_off() {
        try (StoreDatabase database = new StoreDatabase()) {
            ApplicationContextRunner stored = StarterApplications.with(database.database())
                    .withUserConfiguration(WithCodec.class, WithCommands.class);
            PostgresEventStore store = database.newStore();
            stored.withPropertyValues("registrar.decisions.stored-states=false").run(context -> {
                context.getBean(Commands.class).loop().execute(new TakeCountedNote());
                context.getBean(StoredStates.class).close();
                assertThat(store.deleteStoredStates()).isZero();
            });
            stored.run(context -> {
                context.getBean(Commands.class).loop().execute(new TakeCountedNote());
                Awaitility.await().until(() -> store.deleteStoredStates() == 1);
                assertThat(context.getBean(MeterRegistry.class)
                                .get("registrar.decisions.states")
                                .tag("result", "stored")
                                .counter()
                                .count())
                        .isPositive();
            });
        }
    }
}

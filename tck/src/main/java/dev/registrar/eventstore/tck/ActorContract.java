package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The actor of an append is kept beside each of its events, whatever the events say. */
public interface ActorContract extends StoreUnderTest {
    /** An actor with all parts. */
    Actor CLERK = new Actor("https://id.example.org/realms/uni", "f3c1", "console", "ann");

    /** Another actor. */
    Actor ROBOT = Actor.ofApplication("robot");

    private List<@Nullable Actor> actors() {
        List<@Nullable Actor> actors = new ArrayList<>();
        store().read(Query.all()).stream().forEach(found -> actors.add(found.actor()));
        return actors;
    }

    @Test
    default void every_read_returns_the_actor_of_the_append() {
        store().append(Append.of(event("A", "a"), event("B", "b")).by(CLERK));
        store().append(Append.of(event("C", "c")).by(ROBOT));
        Query a = Query.of(QueryItem.tags("a"));

        assertThat(actors()).containsExactly(CLERK, CLERK, ROBOT);
        assertThat(store().read(Query.all(), ReadOptions.backwards()).stream().map(SequencedEvent::actor))
                .containsExactly(ROBOT, CLERK, CLERK);
        assertThat(store().read(a, ReadOptions.forwards().limit(10)).stream().map(SequencedEvent::actor))
                .containsExactly(CLERK);
        assertThat(store().last(a).map(SequencedEvent::actor)).contains(CLERK);
    }

    @Test
    default void an_append_without_an_actor_has_none() {
        append(event("A"));
        store().append(Append.of(event("B"), event("C")));

        assertThat(actors()).containsExactly(null, null, null);
    }

    @Test
    default void an_append_with_conditions_and_a_key_keeps_the_actor() {
        AppendCondition none = AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("seat")));
        IdempotencyKey key = new IdempotencyKey("k", "f");

        store().append(Append.of(event("A", "seat")).onCondition(none).by(CLERK));
        store().append(Append.of(event("B", "chair")).under(key).by(ROBOT));
        store().append(Append.of(event("B", "chair")).under(key).by(CLERK));

        assertThat(actors()).containsExactly(CLERK, ROBOT);
    }

    @Test
    default void metadata_that_names_an_actor_changes_nothing() {
        String forged = "{\"actor\":{\"issuer\":\"forged\",\"subject\":\"dean\"},\"issuer\":\"x\",\"subject\":\"y\"}";

        store().append(Append.of(event("A").withMetadata(forged)).by(CLERK));
        append(event("B").withMetadata(forged));

        assertThat(actors()).containsExactly(CLERK, null);
        assertThat(store().read(Query.all()).stream().map(found -> found.event().metadata()))
                .containsExactly(forged, forged);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NULL",
                "null",
                " ",
                "{}",
                "\"",
                "'; drop table events; --",
                "{\"subject\":\"dean\"}",
                "\",\"subject\":\"dean",
                "back\\slash\\",
                "a,b{c}",
                "tab\tline\r\nbreak",
                "\u0001\u001f\u007f\u0085\u2028",
                "\ud83c\udf93 stra\u00dfe \u03b1\u03b2\u03b3 \u4f60\u597d",
                "\u202eright to left",
                "\uffff"
            })
    default void an_actor_with_any_characters_comes_back(String text) {
        Actor hostile = new Actor(text, text, text, text);

        store().append(Append.of(event("A")).by(hostile));
        store().append(Append.of(event("B"), event("C")).by(hostile));

        assertThat(actors()).containsExactly(hostile, hostile, hostile);
    }

    @Test
    default void the_longest_actor_comes_back() {
        Actor longest = new Actor(
                "\u0001".repeat(Actor.MAX_ISSUER_LENGTH),
                "\u20ac".repeat(Actor.MAX_LENGTH),
                "\u0001".repeat(Actor.MAX_LENGTH),
                "\"".repeat(Actor.MAX_LENGTH));

        store().append(Append.of(event("A")).by(longest));

        assertThat(actors()).containsExactly(longest);
    }

    @Test
    default void an_actor_that_cannot_be_stored_is_refused() {
        assertActorRefused("The issuer of an actor must have at most 1000", Actor.of("i".repeat(1_001), "s"));
        assertActorRefused("The subject of an actor must have at most 255", Actor.of("i", "s".repeat(256)));
        assertActorRefused("The client of an actor must have at most 255", new Actor("i", "s", "c".repeat(256), null));
        assertActorRefused("acts must have at most 255", Actor.of("i", "s").onBehalfOf("p".repeat(256)));
        assertActorRefused("The subject of an actor must not contain the character U+0000", Actor.of("i", "\u0000"));
        assertActorRefused("The issuer of an actor must not contain an unpaired", Actor.of("\ud83c", "s"));
        assertThat(store().head().position()).isEqualTo(Position.START);
    }

    private void assertActorRefused(String message, Actor actor) {
        assertThatThrownBy(() -> store().append(Append.of(event("A")).by(actor)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining(message);
    }
}

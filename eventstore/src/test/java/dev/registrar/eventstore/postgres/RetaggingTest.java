package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Masking.Masked;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.RetaggingEventStore.Retagged;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StateStore.StoredState;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.eventstore.postgres.append.AppendAnswer;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.append.CheckFunction;
import dev.registrar.eventstore.postgres.append.CheckedConditions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Stored events get tags, and what was read before notices. */
class RetaggingTest extends PostgresStoreFixture {
    private static final Actor ADMIN = Actor.of("issuer", "admin");
    private static final Tag TERM = new Tag("term:2026");
    private static final Query OF_TERM = Query.of(QueryItem.tags(TERM.value()));
    private static final Query NOTES = Query.of(QueryItem.types("Noted"));

    private static Event note(String... tags) {
        return Event.of("Noted", "{}", tags);
    }

    private static Event other() {
        return Event.of("Other", "{}", "other:1");
    }

    private static Retagged retag() {
        return retag(NOTES, TERM);
    }

    private static Retagged retag(Query query, Tag... tags) {
        return store.retag(query, Set.of(tags), ADMIN, "ticket 17");
    }

    private static Position added() {
        return Objects.requireNonNull(retag().position());
    }

    private static List<SequencedEvent> all() {
        return store.read(Query.all()).stream().toList();
    }

    private static <T> T answer(Class<T> type, String query) {
        return JdbcClient.create(database.database().dataSource())
                .sql(query)
                .query(type)
                .single();
    }

    @Test
    void the_tags_are_added_and_all_else_is_kept() {
        store.append(Append.of(note("note:1", "a")).by(Actor.of("issuer", "author")));
        store.append(List.of(other()));
        List<SequencedEvent> before = all();

        assertThat(retag(NOTES, new Tag("a"), TERM)).isEqualTo(new Retagged(1, Position.of(3)));

        SequencedEvent old = before.getFirst();
        Event tagged = Event.of(
                old.event().id(),
                "Noted",
                List.of(new Tag("note:1"), new Tag("a"), TERM),
                old.event().payload(),
                old.event().metadata());
        assertThat(all())
                .startsWith(
                        new SequencedEvent(old.position(), tagged, old.recordedAt(), old.actor()), before.getLast());
        for (QueryItem item : List.of(
                QueryItem.tags(TERM.value()),
                QueryItem.types("Noted").tagged(TERM.value()),
                QueryItem.tags("a", TERM.value()))) {
            assertThat(store.read(Query.of(item)).stream().map(SequencedEvent::position))
                    .containsExactly(Position.of(1));
        }
        assertThat(answer(Boolean.class, """
                        select size = registrar.event_size('{note:1,a,term:2026}', payload, metadata, actor)
                        from registrar.events
                        where position = 1""")).isTrue();
    }

    @Test
    void it_is_recorded_with_who_and_why_and_how_many_and_by_an_event() {
        store.append(List.of(note("note:1"), note(TERM.value()), note("note:2")));

        retag();

        assertThat(answer(String.class, """
                        select concat_ws(' ', position, actor, reason, events, length(query), tagged_at > now() - interval '1 hour')
                        from registrar.retaggings""")).isEqualTo("4 " + ADMIN.json() + " ticket 17 2 64 t");
        assertThat(answer(String.class, """
                        select concat_ws(' ', position, tag, first_event)
                        from registrar.tag_additions""")).isEqualTo("4 term:2026 1");
        SequencedEvent last = all().getLast();
        assertThat(last.position()).isEqualTo(Position.of(4));
        assertThat(last.actor()).isEqualTo(ADMIN);
        assertThat(last.event())
                .extracting(Event::type, Event::tags, Event::payload)
                .containsExactly(TagsAdded.TYPE, Set.of(), "[\"term:2026\"]");
    }

    @Test
    void a_repetition_changes_and_records_nothing() {
        store.append(List.of(note("note:1")));
        retag();
        List<SequencedEvent> tagged = all();

        assertThat(retag()).isEqualTo(new Retagged(0, null));

        assertThat(all()).isEqualTo(tagged);
        assertThat(answer(Long.class, "select count(*) from registrar.retaggings"))
                .isEqualTo(1);
    }

    private static Stream<QueryItem> items() {
        return Stream.of(
                QueryItem.tags(TERM.value()),
                QueryItem.types("Noted").tagged(TERM.value()),
                QueryItem.types("NeverSeen").tagged(TERM.value()),
                QueryItem.tags("a", TERM.value()),
                QueryItem.types("Noted").tagged("a", "b", TERM.value()));
    }

    /*
     * A decision reads the events of a term, and there is none. Then a stored event gets the tag of the term. Then the
     * decision appends: no event was appended since that its condition matches, but it has read too few. All ways of an
     * append conflict: a single event, which takes the short function, several, and a chain.
     */
    @ParameterizedTest
    @MethodSource("items")
    void a_decision_that_read_before_and_appends_after_conflicts(QueryItem item) {
        store.append(List.of(note("a", "b")));
        Head read = store.head();
        Position added = added();
        AppendCondition condition =
                AppendCondition.failIfEventsMatch(Query.of(item)).after(read);
        Append one = Append.of(other()).onCondition(condition);
        Append two = Append.of(other(), other()).onCondition(condition);

        Conflict conflict = new Conflict(item, added, TagsAdded.TYPE);
        assertThat(List.of(store.append(one), store.append(two))).containsOnly(conflict);
        assertThat(store.appendChain(List.of(Append.of(other()), two))).containsExactly(appendedAfter(added), conflict);
        AppendCondition later = condition.after(store.head());
        assertThat(store.append(Append.of(other()).onCondition(later))).isInstanceOf(Appended.class);
    }

    /* The control: without the record of the added tags, the same appends are accepted. */
    @ParameterizedTest
    @MethodSource("items")
    void without_the_record_of_added_tags_the_race_is_lost(QueryItem item) {
        store.append(List.of(note("a", "b")));
        Head read = store.head();
        retag();
        database.execute("""
                begin;
                set local session_replication_role = replica;
                delete from registrar.tag_additions;
                commit""");
        AppendCondition condition =
                AppendCondition.failIfEventsMatch(Query.of(item)).after(read);

        assertThat(List.of(
                        store.append(Append.of(other()).onCondition(condition)),
                        store.append(Append.of(other(), other()).onCondition(condition))))
                .hasOnlyElementsOfType(Appended.class);
    }

    @Test
    void a_condition_that_does_not_name_the_tag_goes_on() {
        store.append(List.of(note("a")));
        Head read = store.head();
        retag();

        assertThat(store.append(Append.of(other())
                        .onCondition(AppendCondition.failIfEventsMatch(Query.of(
                                        QueryItem.tags("a"), NOTES.items().getFirst()))
                                .after(read))))
                .isInstanceOf(Appended.class);
    }

    /* It has ignored no event, so all are searched, with their tags of now. */
    @Test
    void a_condition_on_the_whole_history_is_judged_by_the_events_alone() {
        store.append(List.of(note("a")));
        retag();

        QueryItem none = QueryItem.types("Other").tagged(TERM.value());
        assertThat(store.append(List.of(event()), AppendCondition.failIfEventsMatch(Query.of(none))))
                .isInstanceOf(Appended.class);
        assertThat(store.append(List.of(event()), AppendCondition.failIfEventsMatch(OF_TERM)))
                .isEqualTo(new Conflict(OF_TERM.items().getFirst(), Position.of(1), "Noted"));
    }

    /*
     * A condition that is expensive was checked outside the lock, up to a head. Then an event below that head gets the
     * tag, which the search under the lock, above that head, does not see. A check after the tag was added has seen it.
     */
    @Test
    void a_tag_that_is_added_during_the_check_of_a_condition_conflicts() throws SQLException {
        store.append(List.of(note("a"), other()));
        QueryItem item = QueryItem.types("Noted").tagged("b", TERM.value());
        Append request = Append.of(event()).onCondition(AppendCondition.failIfEventsMatch(Query.of(item)));
        Head checked = store.head();
        Position added = added();

        assertThat(judge(request, checked))
                .isEqualTo(new AppendAnswer.Judged(new Conflict(item, added, TagsAdded.TYPE)));
        assertThat(judge(request, store.head())).isEqualTo(new AppendAnswer.Judged(appendedAfter(added)));
    }

    /* The second check continues the first one. It must not skip the events that the first one has searched. */
    @Test
    void a_tag_that_is_added_between_two_checks_of_a_condition_conflicts() throws SQLException {
        store.append(List.of(other(), note("b"), other()));
        QueryItem item = QueryItem.types("Noted").tagged("b", TERM.value());
        AppendCondition condition = new AppendCondition(Query.of(item), Position.of(1), null);
        Append request = Append.of(event()).onCondition(condition);
        List<CheckedConditions> first = check(request, List.of());
        assertThat(first.getFirst().matches()).containsExactly(Position.START);

        added();

        assertThat(check(request, first).getFirst().matches()).containsExactly(Position.of(2));
    }

    private static List<CheckedConditions> check(Append request, List<CheckedConditions> earlier) throws SQLException {
        try (Connection connection =
                        database.pool(StoreDatabase.defaultSettings()).getConnection();
                PreparedStatement statement = connection.prepareStatement(CheckFunction.text("registrar"))) {
            return CheckFunction.check(statement, List.of(request), earlier);
        }
    }

    /* Clients may name the last event that matched, which is before the addition however often they read. */
    @Test
    void a_condition_after_the_last_match_conflicts_only_if_its_basis_is_before_the_addition() {
        store.append(List.of(note(TERM.value()), note("a"), note("b"), other()));
        Head before = store.head();
        retag(Query.of(QueryItem.tags("a")), TERM);
        Position lastMatch = Position.of(2);

        assertThat(store.append(List.of(event()), new AppendCondition(OF_TERM, lastMatch, before)))
                .isInstanceOf(Conflict.class);
        assertThat(store.append(List.of(event()), new AppendCondition(OF_TERM, lastMatch, store.head())))
                .isInstanceOf(Appended.class);
    }

    private static Appended appendedAfter(Position position) {
        Position next = Position.of(position.value() + 1);
        return new Appended(next, next, false);
    }

    private static AppendAnswer judge(Append request, Head checked) throws SQLException {
        CheckedConditions none = new CheckedConditions(checked, List.of(Position.START));
        try (Connection connection =
                database.pool(StoreDatabase.defaultSettings()).getConnection()) {
            return new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS)
                    .append(connection, List.of(AppendEntry.of(request, List.of(none))))
                    .getFirst();
        }
    }

    /** Collects the positions of its events. */
    private record Positions(Query query) implements Projection<List<Position>> {
        @Override
        public List<Position> initial() {
            return List.of();
        }

        @Override
        public List<Position> apply(List<Position> before, SequencedEvent event) {
            return Stream.concat(before.stream(), Stream.of(event.position())).toList();
        }
    }

    @Test
    void a_state_whose_query_names_the_tag_is_folded_again_and_others_go_on() {
        store.append(List.of(note("a"), note("b")));
        Positions ofTerm = new Positions(OF_TERM);
        // It would see the events again.
        Positions notes = new Positions(NOTES);
        StateAt<?> before = store.project(ofTerm).states().getFirst();
        StateAt<?> wrong = new StateAt<>(notes, List.of(Position.of(77)), store.head(), 1);
        retag();
        store.append(List.of(note(TERM.value())));

        Projected now = store.project(List.of(before, wrong), onTheWay -> {});

        assertThat(now.state(ofTerm)).containsExactly(Position.of(1), Position.of(2), Position.of(4));
        assertThat(now.state(notes)).containsExactly(Position.of(77), Position.of(4));
    }

    /*
     * A fold is interrupted after its first chunk, and goes on from there. If the tag was added before that fold began,
     * nothing is missing, although the chunk ends before the position of the addition; if it was added later, the fold
     * begins again.
     */
    @Test
    void an_interrupted_fold_goes_on_unless_the_tag_was_added_since() {
        store.append(IntStream.range(0, 200).mapToObj(i -> note("a")).toList());
        Positions ofTerm = new Positions(OF_TERM);
        retag();
        StateAt<?> begun = interrupted(ofTerm);
        assertThat(begun.position()).isLessThan(Position.of(200));
        StateAt<?> marked = new StateAt<>(ofTerm, List.of(Position.of(77)), begun.head(), begun.read(), 1);

        assertThat(projected(marked)).hasSize(1 + 200 - (int) begun.position().value());

        store.append(List.of(Event.of("Lecture", "{}", "b")));
        retag(Query.of(QueryItem.types("Lecture")), TERM);
        assertThat(projected(marked)).hasSize(1 + 201 - (int) begun.position().value());
        retag(Query.of(QueryItem.types("Noted")), new Tag("term:2027"));
        Positions ofNext = new Positions(Query.of(QueryItem.tags("term:2027")));
        StateAt<?> lacking = new StateAt<>(ofNext, List.of(Position.of(77)), begun.head(), begun.read(), 1);
        assertThat(projected(lacking)).hasSize(200);
    }

    private static StateAt<?> interrupted(Positions projection) {
        AtomicReference<StateAt<?>> reached = new AtomicReference<>();
        assertThatThrownBy(() -> store.project(List.of(StateAt.initial(projection)), onTheWay -> {
                    reached.set(onTheWay.getFirst());
                    throw new IllegalStateException("interrupted");
                }))
                .hasMessage("interrupted");
        return reached.get();
    }

    private static List<?> projected(StateAt<?> known) {
        return (List<?>) store.project(List.of(known), onTheWay -> {})
                .states()
                .getFirst()
                .state();
    }

    @Test
    void a_stored_state_is_used_unless_its_query_names_the_tag() {
        store.append(List.of(note("a")));
        store.store(new StoredState("term", "1", store.head(), 0, "none", 0));
        retag();

        assertThat(store.storedState("term", "1", OF_TERM)).isEmpty();
        assertThat(store.storedState("term", "1", NOTES)).isPresent();
    }

    @Test
    void a_reader_that_keeps_what_it_has_read_is_told() {
        store.append(List.of(note("a"), note("b")));
        Head read = store.head();
        retag(Query.of(QueryItem.tags("a")), TERM);
        ReadOptions on = ReadOptions.forwards().after(read).withSameTags();

        assertThatThrownBy(() -> store.read(OF_TERM, on)).isInstanceOf(StoreReplacedException.class);
        assertThat(store.read(NOTES, on).stream()).isEmpty();
        assertThat(store.read(OF_TERM, ReadOptions.forwards().after(read)).stream())
                .isEmpty();
        assertThat(store.read(OF_TERM, on.after(Position.START)).stream()).hasSize(1);
        assertThat(store
                        .read(
                                OF_TERM,
                                ReadOptions.forwards().after(store.head()).withSameTags())
                        .stream())
                .isEmpty();
    }

    @Test
    void an_event_that_would_have_too_many_tags_refuses_the_whole_call() {
        int most = store.limits().maxTagsPerEvent();
        store.append(List.of(
                note("a"),
                note(IntStream.range(0, most).mapToObj(i -> "tag:" + i).toArray(String[]::new))));
        List<SequencedEvent> before = all();

        assertThatThrownBy(RetaggingTest::retag)
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("position 2");

        assertThat(all()).isEqualTo(before);
        assertThat(retag(NOTES, new Tag("tag:0")).events()).isEqualTo(1);
    }

    @Test
    void an_event_of_the_reserved_type_is_not_appended() {
        Append reserved = Append.of(Event.of(TagsAdded.TYPE, "[]"));

        assertThatThrownBy(() -> store.append(reserved)).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> store.appendChain(List.of(reserved))).isInstanceOf(RefusedInputException.class);
    }

    /* The masking was computed when the event had not got the tag: without the comparison, the tag would stay. */
    @Test
    void an_erasure_takes_a_personal_tag_that_is_added_meanwhile() {
        Tag personal = new Tag("email:ann@example.org");
        store.append(List.of(note("a")));
        AtomicBoolean added = new AtomicBoolean();

        store.erase(
                NOTES,
                stored -> {
                    boolean had = stored.event().tags().contains(personal);
                    if (!added.getAndSet(true)) {
                        retag(NOTES, personal);
                    }
                    return new Masked("{}", "{\"erased\":true}", null, had ? Set.of(personal) : Set.of());
                },
                ADMIN,
                "request 17");

        assertThat(all().getFirst().event().tags()).containsExactly(new Tag("a"));
    }

    /* The row of this very transaction lets tags be added, and nothing else. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "update registrar.events set tags = tags || '{more}'",
                "begin; %s; commit; begin; update registrar.events set tags = tags || '{more}'",
                "begin; %s; update registrar.events set tags = '{}'",
                "begin; %s; update registrar.events set payload = ''",
                "begin; %s; update registrar.events set metadata = ''",
                "begin; %s; update registrar.events set actor = ''",
                "begin; %s; update registrar.events set type = 'Other'",
                "begin; %s; delete from registrar.events",
                "begin; %s; delete from registrar.event_tags",
                "begin; %s; update registrar.event_tags set tag = 'other'",
                "update registrar.retaggings set reason = ''",
                "delete from registrar.retaggings",
                "truncate registrar.retaggings",
                "update registrar.tag_additions set tag = ''",
                "delete from registrar.tag_additions",
                "truncate registrar.tag_additions"
            })
    void the_owner_s_own_statements_change_nothing(String change) throws SQLException {
        store.append(List.of(note("a")));
        retag();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(change.formatted("""
                            insert into registrar.retaggings
                                (position, event_id, transaction, tagged_at, actor, reason, query, events)
                            values (
                                (select max(position) + 1 from registrar.retaggings), gen_random_uuid(),
                                pg_current_xact_id(), now(), '', '', '', 1
                            )""")))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("DCB02"));
            statement.execute("rollback");
        }
    }

    @Test
    void arguments_beyond_their_limits_are_refused() {
        assertThatThrownBy(() -> store.retag(NOTES, Set.of(TERM), ADMIN, " "))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("1 to 500 characters");
        assertThatThrownBy(() -> retag(NOTES)).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> retag(NOTES, new Tag("t".repeat(256)))).isInstanceOf(RefusedInputException.class);
    }

    /* Decisions on the tag race with it, and each either saw the tagged events or conflicts. */
    @Test
    void decisions_that_race_with_it_never_miss_an_event() throws Exception {
        int decisions = 20;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int round = 0; round < 10; round++) {
                Tag tag = new Tag("round:" + round);
                Query ofRound = Query.of(QueryItem.types("Noted").tagged(tag.value()));
                store.append(List.of(note("note:" + round)));
                List<Future<Boolean>> decided = IntStream.range(0, decisions)
                        .mapToObj(i -> callers.submit(() -> {
                            Projected read = store.project(new Positions(ofRound));
                            AppendResult result =
                                    store.append(Append.of(other()).onCondition(read.appendCondition()));
                            boolean sawIt = !((List<?>) read.states().getFirst().state()).isEmpty();
                            return sawIt
                                    || !(result instanceof Appended appended)
                                    || appended.first().value() < addition(tag);
                        }))
                        .toList();
                retag(Query.of(QueryItem.tags("note:" + round)), tag);
                for (Future<Boolean> each : decided) {
                    assertThat(each.get()).isTrue();
                }
            }
        }
    }

    /* The position of the addition; above all positions as long as there is none. */
    private static long addition(Tag tag) {
        return answer(Long.class, """
                select coalesce(min(position), 9223372036854775807)
                from registrar.tag_additions
                where tag = '%s'""".formatted(tag.value()));
    }
}

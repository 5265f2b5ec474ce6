package dev.registrar.projection;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The table of the events that followers have skipped or parked: dead letters, until an operator settles them. */
final class DeadLetters {
    private static final String UNSETTLED = "name = ? and build = 'live' and settled is null";

    private final JdbcClient lookUps;
    private final String schema;

    /** @param lookUps a client whose statements are transactions of their own */
    DeadLetters(JdbcClient lookUps, String schema) {
        this.lookUps = lookUps;
        this.schema = schema;
    }

    /**
     * A dead letter.
     *
     * @param key a digest of its key, which later events wait for; null if there is none
     */
    record Letter(Skip skip, @Nullable String key) {
        Position position() {
            return skip.position();
        }
    }

    /** How an operator has settled a dead letter. */
    enum Settled {
        RETRIED,
        DISCARDED
    }

    /**
     * The dead letters of a follower.
     *
     * @param letters their number
     * @param keys which of some keys have one
     */
    record Parked(long letters, Set<String> keys) {}

    /** The dead letters of a follower, and which of some keys have one. */
    Parked parked(String name, Collection<String> keys) {
        return lookUps.sql("""
                        select count(*), coalesce(array_agg(distinct key) filter (where key = any(?)), '{}')
                        from %s.projection_skips
                        where %s""".formatted(schema, UNSETTLED))
                .param(keys.toArray(String[]::new))
                .param(name)
                .query((row, number) -> new Parked(
                        row.getLong(1), Set.of((String[]) row.getArray(2).getArray())))
                .single();
    }

    /** The number of dead letters of each follower that has any. */
    Map<String, Long> counts() {
        return lookUps
                .sql("""
                        select name, count(*) as letters
                        from %s.projection_skips
                        where build = 'live'
                        and settled is null
                        group by name""".formatted(schema))
                .query((row, number) -> Map.entry(row.getString("name"), row.getLong("letters")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The dead letters after a position, in their order. */
    List<Letter> after(String name, Position after, int most) {
        return letters(UNSETTLED + " and position > ? order by position limit ?", name, after.value(), most);
    }

    /** The dead letters of a key after a position, in their order. */
    List<Letter> ofKey(String name, String key, Position after, int most) {
        return letters(
                UNSETTLED + " and key = ? and position > ? order by position limit ?", name, key, after.value(), most);
    }

    /** The dead letter at a position. */
    Optional<Letter> at(String name, Position position) {
        return letters(UNSETTLED + " and position = ?", name, position.value()).stream()
                .findFirst();
    }

    /** The last events that a follower has skipped, the last one first; also those that are settled. */
    List<Skip> lastSkips(String name, int most) {
        return letters(
                        "name = ? and build = 'live' and skipped_by <> 'parked' order by position desc limit ?",
                        name,
                        most)
                .stream()
                .map(Letter::skip)
                .toList();
    }

    private List<Letter> letters(String condition, Object... parameters) {
        return lookUps.sql("""
                        select position, error, skipped_by, skipped_at, key
                        from %s.projection_skips
                        where %s""".formatted(schema, condition))
                .params(parameters)
                .query((row, number) -> new Letter(
                        new Skip(
                                Position.of(row.getLong("position")),
                                KebabCase.parse(Skip.By.class, row.getString("skipped_by")),
                                row.getString("error"),
                                Checkpoints.instant(row, "skipped_at")),
                        row.getString("key")))
                .list();
    }

    /** Records events that a generation has skipped or parked. */
    void add(JdbcClient transaction, Checkpoint of, List<Letter> letters) {
        if (letters.isEmpty()) {
            return;
        }
        transaction
                .sql("""
                        insert into %s.projection_skips (name, build, position, error, skipped_by, skipped_at, key)
                        select ?, ?, given.position, given.error, given.skipped_by, given.skipped_at, given.key
                        from unnest(?::bigint[], ?::text[], ?::text[], ?::timestamptz[], ?::text[])
                            given (position, error, skipped_by, skipped_at, key)""".formatted(schema))
                .param(of.name())
                .param(of.generation().text())
                .param(positions(letters))
                .param(storable(letters.stream().map(letter -> letter.skip().reason())))
                .param(letters.stream().map(letter -> letter.skip().by().text()).toArray(String[]::new))
                .param(letters.stream()
                        .map(letter -> letter.skip().at().toString())
                        .toArray(String[]::new))
                .param(letters.stream().map(Letter::key).toArray(String[]::new))
                .update();
    }

    /** Settles dead letters that are not settled yet; returns their number. */
    int settle(JdbcClient transaction, String name, List<Letter> letters, Settled settled, @Nullable Actor by) {
        return transaction
                .sql("""
                        update %s.projection_skips
                        set settled = ?, settled_at = now(), settled_by = ?
                        where %s
                        and position = any(?)""".formatted(schema, UNSETTLED))
                .param(KebabCase.of(settled))
                .param(by == null ? null : by.json())
                .param(name)
                .param(positions(letters))
                .update();
    }

    /** Replaces the reasons of dead letters by those of another attempt. */
    void update(JdbcClient transaction, String name, Map<Position, String> reasons) {
        transaction
                .sql("""
                        update %s.projection_skips letter
                        set error = given.error
                        from unnest(?::bigint[], ?::text[]) given (position, error)
                        where letter.position = given.position
                        and %s""".formatted(schema, UNSETTLED))
                .param(reasons.keySet().stream().mapToLong(Position::value).toArray())
                .param(storable(reasons.values().stream()))
                .param(name)
                .update();
    }

    private static long[] positions(List<Letter> letters) {
        return letters.stream().mapToLong(letter -> letter.position().value()).toArray();
    }

    private static String[] storable(Stream<String> reasons) {
        return reasons.map(Checkpoints::storable).toArray(String[]::new);
    }
}

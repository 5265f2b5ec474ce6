package dev.registrar.eventstore.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** What keeps appends from racing, taken away and given back: for tests that show that they would notice. */
final class Protection {
    private static final String LOCK =
            "perform pg_advisory_xact_lock(1145258561, 'registrar.events'::regclass::oid::int);";
    private static final String HEAD = "coalesce((select max(event.position) from registrar.events event), 0)";

    private Protection() {}

    /** Appends take no lock any more. */
    static void removeLock(StoreDatabase database) {
        database.execute(replaced(function(), LOCK, ""));
    }

    /** Appends take no lock, and draw positions from a sequence when they insert, as an identity column does. */
    static void drawPositionsFromSequence(StoreDatabase database) {
        database.execute("create sequence if not exists registrar.drawn");
        database.execute(replaced(replaced(function(), LOCK, ""), HEAD, "nextval('registrar.drawn') - 1"));
    }

    /** Appends lock what their condition asks for, as a whole, and draw positions from a sequence. */
    static void lockByWholeCondition(StoreDatabase database) {
        drawPositionsFromSequence(database);
        String byCondition = """
                perform pg_advisory_xact_lock(hashtextextended(
                    array_to_string(append_events.item_types || '|'::text || append_events.item_tags, ','), 0
                ));""";
        database.execute(replaced(replaced(function(), LOCK, byCondition), HEAD, "nextval('registrar.drawn') - 1"));
    }

    static void restore(StoreDatabase database) {
        database.execute(function());
    }

    private static String replaced(String sql, String part, String by) {
        if (!sql.contains(part)) {
            throw new IllegalStateException("The stored function no longer says: " + part);
        }
        return sql.replace(part, by);
    }

    private static String function() {
        try (InputStream script = Protection.class.getResourceAsStream("/db/migration/R__append_events.sql")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("${flyway:defaultSchema}", "registrar");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

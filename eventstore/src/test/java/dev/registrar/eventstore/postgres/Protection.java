package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.postgres.schema.StoreSchema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** Removes and restores the protection of appends against races, for tests with a negative control. */
final class Protection {
    private static final String LOCK = "registrar.lock_store();";
    private static final String HEAD = "coalesce(head.position, 0)";

    private Protection() {}

    /** Appends take no lock. */
    static void removeLock(StoreDatabase database) {
        functions().forEach((name, function) -> database.execute(replaced(function, LOCK, "true;")));
    }

    /**
     * Appends take no lock, and draw positions from a sequence when they insert, as an identity column does. They pause
     * between the check and the insert, so that unprotected appends race even on a busy machine.
     */
    static void drawPositionsFromSequence(StoreDatabase database) {
        database.execute("create sequence if not exists registrar.drawn");
        database.execute("""
                create or replace function registrar.linger() returns trigger language plpgsql
                as 'begin perform pg_sleep(0.01); return null; end'""");
        database.execute("""
                create or replace trigger linger before insert on registrar.events
                for each statement execute function registrar.linger()""");
        functions()
                .forEach((name, function) -> database.execute(
                        replaced(replaced(function, LOCK, "true;"), HEAD, "nextval('registrar.drawn') - 1")));
    }

    /** Appends lock a hash of their whole condition and draw positions from a sequence. */
    static void lockByWholeCondition(StoreDatabase database) {
        drawPositionsFromSequence(database);
        String byCondition = """
                pg_advisory_xact_lock(hashtextextended(
                    array_to_string(FUNCTION.item_first_tags || '|'::text || FUNCTION.item_second_tags, ',', '-'), 0
                )) is not null;""";
        functions()
                .forEach((name, function) -> database.execute(replaced(
                        replaced(function, LOCK, byCondition.replace("FUNCTION", name)),
                        HEAD,
                        "nextval('registrar.drawn') - 1")));
    }

    static void restore(StoreDatabase database) {
        database.execute("drop trigger if exists linger on registrar.events");
        functions().forEach((name, function) -> database.execute(function));
    }

    static String replaced(String sql, String part, String by) {
        if (!sql.contains(part)) {
            throw new IllegalStateException("The stored function no longer says: " + part);
        }
        return sql.replace(part, by);
    }

    private static Map<String, String> functions() {
        return Map.of("append_event", function("append_event"), "append_events", function("append_events"));
    }

    /** The statement that creates a stored function, or replaces it. */
    static String function(String name) {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources", StoreSchema.LOCATION))) {
            Path file = files.filter(each -> each.endsWith("R__%s.sql".formatted(name)))
                    .findFirst()
                    .orElseThrow();
            return Files.readString(file).replace("${flyway:defaultSchema}", "registrar");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

package dev.registrar.projection;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.function.Consumer;

/**
 * A view that keeps the position of every event that it receives. The database refuses a repeated position.
 *
 * @param look receives each event before its position is stored, and may fail
 */
record Tally(String name, int version, Consumer<SequencedEvent> look) implements View {
    static final String COUNTED = "Counted";

    Tally(String name) {
        this(name, 1, event -> {});
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types(COUNTED));
    }

    @Override
    public void create(Tables tables) {
        tables.sql("create table ${schema}.tally (position bigint primary key, made_by integer not null)")
                .update();
    }

    @Override
    public void index(Tables tables) {
        tables.sql("create index if not exists tally_made_by on ${schema}.tally (made_by)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        events.forEach(look);
        tables.sql("insert into ${schema}.tally select given.position, ? from unnest(?::bigint[]) given (position)")
                .param(version)
                .param(events.stream()
                        .mapToLong(event -> event.position().value())
                        .toArray())
                .update();
    }

    /** The positions in the table, in ascending order. */
    static List<Long> positions(Tables tables) {
        return tables.sql("select position from ${schema}.tally order by position")
                .query((row, number) -> row.getLong(1))
                .list();
    }

    /** The indexes of the live generation and of the next one. */
    static List<String> indexes(Tables tables) {
        return tables.sql("""
                        select schemaname || '.' || indexname
                        from pg_indexes
                        where schemaname in ('${schema}', '${schema}_next')
                        order by 1""").query((row, number) -> row.getString(1)).list();
    }

    /** The versions that wrote the rows. */
    static List<Integer> versions(Tables tables) {
        return tables.sql("select distinct made_by from ${schema}.tally order by made_by")
                .query((row, number) -> row.getInt(1))
                .list();
    }
}

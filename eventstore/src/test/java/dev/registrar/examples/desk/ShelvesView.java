package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.examples.desk.DeskEvent.LoanEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shelves of readers: one row for each reader who has a book, found by the reader or by the tag of a book on it.
 */
record ShelvesView(EventStore store) implements View {

    /** A row: the titles by the tags of their books. */
    record Shelf(Map<String, String> titles) {}

    @Override
    public String name() {
        return "shelves";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.of(CODEC.types(LoanEvent.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return CODEC.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        tables.sql("""
                        create table ${schema}.shelves (
                            reader text primary key,
                            tags text[] not null,
                            titles text[] not null,
                            changes integer not null,
                            changed_at timestamptz not null)""").update();
    }

    @Override
    public void index(Tables tables) {
        tables.sql("create index if not exists shelves_tags on ${schema}.shelves using gin (tags)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        for (SequencedEvent event : events) {
            if (CODEC.decode(event.event()) instanceof BookLent(String book, String reader, int days)) {
                Map<String, String> titles = titles(tables, reader);
                titles.put("book:" + book, titleOf(book, event.position()));
                save(tables, reader, new Shelf(titles), event);
            } else if (CODEC.decode(event.event()) instanceof BookReturned(String book, String reader)) {
                Map<String, String> titles = titles(tables, reader);
                titles.remove("book:" + book);
                save(tables, reader, titles.isEmpty() ? null : new Shelf(titles), event);
            }
        }
    }

    /* A related event, as of the event that is applied, so that a rebuild makes the same rows. */
    private String titleOf(String book, Position asOf) {
        Query added = Query.of(CODEC.types(BookAdded.class).tagged("book:" + book));
        try (EventStream last =
                store.read(added, ReadOptions.backwards().from(asOf).limit(1))) {
            return last.hasNext() && CODEC.decode(last.next().event()) instanceof BookAdded found
                    ? found.title()
                    : book;
        }
    }

    private static Map<String, String> titles(Tables tables, String reader) {
        Map<String, String> titles = new TreeMap<>();
        tables.sql("""
                        select book.tag, book.title
                        from ${schema}.shelves, unnest(tags, titles) book (tag, title)
                        where reader = ?""").param(reader).query(row -> {
            titles.put(row.getString("tag"), row.getString("title"));
        });
        return titles;
    }

    /* A shelf that is null is deleted. */
    private static void save(Tables tables, String reader, @Nullable Shelf shelf, SequencedEvent cause) {
        if (shelf == null) {
            tables.sql("delete from ${schema}.shelves where reader = ?")
                    .param(reader)
                    .update();
            return;
        }
        tables.sql("""
                        insert into ${schema}.shelves (reader, tags, titles, changes, changed_at)
                        values (?, ?, ?, 1, ?)
                        on conflict (reader) do update
                        set tags = excluded.tags, titles = excluded.titles,
                            changes = shelves.changes + 1, changed_at = excluded.changed_at""")
                .param(reader)
                .param(shelf.titles().keySet().toArray(String[]::new))
                .param(shelf.titles().values().toArray(String[]::new))
                .param(cause.recordedAt().atOffset(ZoneOffset.UTC))
                .update();
    }

    static List<String> titlesOf(Tables tables, String reader) {
        return List.copyOf(titles(tables, reader).values());
    }

    static List<String> readersWith(Tables tables, Tag tag) {
        return tables.sql("select reader from ${schema}.shelves where tags @> array[?::text] order by reader")
                .param(tag.value())
                .query((row, number) -> row.getString(1))
                .list();
    }

    static Optional<Integer> changesOf(Tables tables, String reader) {
        return tables.sql("select changes from ${schema}.shelves where reader = ?")
                .param(reader)
                .query(Integer.class)
                .optional();
    }
}

package dev.registrar.autoconfigure;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.util.List;

/** Counts events of one type. */
final class HappenedView implements View {
    @Override
    public String name() {
        return "happened";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.of(QueryItem.types("Happened"));
    }

    @Override
    public void create(Tables tables) {
        tables.sql("create table ${schema}.happened (position bigint primary key)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        for (SequencedEvent event : events) {
            tables.sql("insert into ${schema}.happened (position) values (:position)")
                    .param("position", event.position().value())
                    .update();
        }
    }

    static long count(Tables tables) {
        return tables.sql("select count(*) from ${schema}.happened")
                .query(Long.class)
                .single();
    }
}

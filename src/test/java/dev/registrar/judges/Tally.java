package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.testdatabase.TestDatabase;
import java.util.List;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A view that counts how often each event was applied. The services run it beside those of the course office. */
record Tally() implements View {
    /** Of the environment of a service that runs it. */
    static final Map<String, String> ENABLED = Map.of("FAULTS_TALLY", "true");

    @Override
    public String name() {
        return "tally";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.all();
    }

    @Override
    public void create(Tables tables) {
        tables.sql("create table ${schema}.tally (position bigint primary key, times integer not null)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        tables.sql("""
                        insert into ${schema}.tally as known
                        select given.position, 1
                        from unnest(?::bigint[]) given (position)
                        on conflict (position) do update set times = known.times + 1""")
                .param(events.stream()
                        .mapToLong(event -> event.position().value())
                        .toArray())
                .update();
    }

    /** Waits until the events up to a position were applied, and checks that each one was applied once. */
    static void judge(TestDatabase database, long head) {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        await().until(() -> jdbc.sql("select count(*) from registrar_tally.tally where position <= ?")
                        .param(head)
                        .query(Long.class)
                        .single()
                == head);
        assertThat(jdbc.sql("select position from registrar_tally.tally where times <> 1")
                        .query(Long.class)
                        .list())
                .isEmpty();
    }

    /** Found by the scan of a service in a process of its own, whose classes are those of the tests. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty("faults.tally")
    static class InService {
        @Bean
        Tally tally() {
            return new Tally();
        }
    }
}

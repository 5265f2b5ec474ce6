package dev.registrar.eventstore.postgres;

import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A store whose lock a test holds, so that appends queue in a known order. */
abstract class GroupAppenderFixture {
    static StoreDatabase database;
    final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    final List<Future<AppendResult>> answers = new ArrayList<>();
    SimpleMeterRegistry meters;
    HikariDataSource pool;
    PostgresEventStore store;
    Connection holder;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void holdTheLock() throws SQLException {
        database.clear();
        begin(Map.of());
    }

    @AfterEach
    void release() throws SQLException {
        holder.close();
        callers.close();
        pool.close();
    }

    final void begin(Map<String, ?> settings) throws SQLException {
        if (holder != null) {
            holder.close();
            pool.close();
        }
        StoreOptions bound = StoreDatabase.settings(settings);
        meters = new SimpleMeterRegistry();
        pool = database.pool(bound);
        store = new PostgresEventStore(pool, bound, StoreDatabase.context(InstantSource.system(), meters));
        holder = database.connect();
        holder.setAutoCommit(false);
        new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS)
                .append(holder, List.of(AppendEntry.of(Append.of(event("held")))));
    }

    static Event event(String tag) {
        return Event.of("Happened", "{}", tag);
    }

    static Append guarded(String tag) {
        return Append.of(event(tag)).onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(tag))));
    }

    /* The first caller's statement is sent; the other callers are in the queue when this method returns. */
    void send(Append... requests) {
        for (Append request : requests) {
            Callable<AppendResult> call = () -> store.append(request);
            int waiting = answers.size();
            answers.add(callers.submit(call));
            await().until(() -> waiting == 0 ? onTheirWay() == 1 : queued() == waiting);
        }
    }

    double onTheirWay() {
        return meters.get("registrar.store.group.size").summary().count();
    }

    double requestsOnTheirWay() {
        return meters.get("registrar.store.group.size").summary().totalAmount();
    }

    double queued() {
        return meters.get("registrar.store.queue.size").gauge().value();
    }

    void letGo() throws SQLException {
        holder.rollback();
    }

    List<AppendResult> results() throws Exception {
        List<AppendResult> results = new ArrayList<>();
        for (Future<AppendResult> answer : answers) {
            results.add(answer.get());
        }
        return results;
    }

    static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }

    List<Throwable> failures() {
        List<Throwable> failures = new ArrayList<>();
        for (Future<AppendResult> answer : answers) {
            try {
                answer.get();
            } catch (ExecutionException failure) {
                failures.add(failure.getCause());
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
        return failures;
    }
}

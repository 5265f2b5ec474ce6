package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.util.List;
import java.util.concurrent.Callable;

/** The first steps with the store in an application without a framework. */
public final class StandaloneStore implements Callable<List<String>> {
    private final String url;
    private final String username;
    private final String password;

    public StandaloneStore(String url, String username, String password) {
        this.url = url;
        this.username = username;
        this.password = password;
    }

    /** Claims a username twice, and prints the outcomes and the state of the circuit breaker. */
    @Override
    public List<String> call() {
        try (PostgresEventStore store = PostgresEventStore.open(url, username, password, StoreOptions.defaults())) {
            return List.of(
                    claim(store), claim(store), store.breaker().getState().name(), "" + store.count(Query.all()));
        }
    }

    private static String claim(PostgresEventStore store) {
        Query claims = Query.of(QueryItem.types("UsernameClaimed").tagged("username:ann"));
        AppendResult result = store.append(
                List.of(Event.of("UsernameClaimed", "{}", "username:ann")), AppendCondition.failIfEventsMatch(claims));
        return result.getClass().getSimpleName();
    }

    /** Migrates, and prints why this fails. */
    public String migrate() {
        try {
            PostgresEventStore.migrate(url, username, password, StoreOptions.defaults());
            return "migrated";
        } catch (IllegalStateException failure) {
            return String.valueOf(failure.getMessage());
        }
    }
}

package com.example;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.util.List;

/** Claims a name; a name can be claimed once. */
public final class FirstAppend {
    private FirstAppend() {}

    public static AppendResult claim(String url, String username, String password) {
        StoreOptions options = StoreOptions.defaults();
        PostgresEventStore.migrate(url, username, password, options);
        PostgresEventStore store = PostgresEventStore.open(url, username, password, options);

        Query claims = Query.of(QueryItem.types("UsernameClaimed").tagged("username:ann"));
        AppendResult result = store.append(
                List.of(Event.of("UsernameClaimed", "{}", "username:ann")), AppendCondition.failIfEventsMatch(claims));
        store.close();
        return result;
    }
}

package dev.registrar.console.explorer;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.postgres.ReadReplica;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/** Reads events on the read replica if there is one, else in the store. */
@Component
final class ExplorerReads {
    private final EventStore store;
    private final @Nullable ReadReplica replica;

    @Autowired
    ExplorerReads(EventStore store, ObjectProvider<ReadReplica> replica) {
        this.store = store;
        this.replica = replica.getIfAvailable();
    }

    /** Without a replica. */
    ExplorerReads(EventStore store) {
        this.store = store;
        this.replica = null;
    }

    EventStream read(Query query, ReadOptions options) {
        return replica == null ? store.read(query, options) : replica.read(query, options);
    }

    Head head() {
        return replica == null ? store.head() : replica.head();
    }

    /** Whether a page that is loaded now shows the events up to a position. */
    boolean isUpTo(Position position) {
        return replica == null || !position.isAfter(replica.head().position());
    }
}

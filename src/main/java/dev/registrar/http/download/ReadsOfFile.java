package dev.registrar.http.download;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * The reads of one file. They fail when a view has fewer events than at an earlier read: the file would end too early.
 */
final class ReadsOfFile implements CatalogFiles.Reads {
    private final CatalogFiles.Reads reads;
    private final Map<String, Seen> seen = new HashMap<>();

    /** How far a view was at its latest read. */
    private record Seen(Position position, UUID incarnation) {}

    ReadsOfFile(CatalogFiles.Reads reads) {
        this.reads = reads.ofPrimary();
    }

    @Override
    public CatalogFiles.Reads ofPrimary() {
        return this;
    }

    @Override
    public <T> ViewAt<T> read(View view, Function<Tables, T> query) {
        return checked(view, reads.read(view, query));
    }

    @Override
    public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
        return checked(view, reads.search(view, query));
    }

    private <T> ViewAt<T> checked(View view, ViewAt<T> read) {
        Seen before = seen.put(view.name(), new Seen(read.position(), read.incarnation()));
        if (before != null
                && (before.position().isAfter(read.position())
                        || !before.incarnation().equals(read.incarnation()))) {
            throw new IllegalStateException(
                    "The view '%s' was at position %s and is at %s now, so it was reset or rebuilt"
                            .formatted(view.name(), before.position(), read.position()));
        }
        return read;
    }
}

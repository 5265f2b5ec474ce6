package dev.registrar.console.explorer;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.read.StoreExplorer;
import java.util.List;
import java.util.stream.Stream;

/** The types and tags of a query that no stored event has: often misspelt, and then nothing matches. */
final class MissingNames {
    /** Maximum number of types, and of tags, that are looked up. */
    private static final int MOST = 20;

    private MissingNames() {}

    /** A sentence for each of them. */
    static List<String> of(Query query, StoreExplorer explorer) {
        Stream<String> types = query.items().stream()
                .flatMap(item -> item.types().stream())
                .distinct()
                .limit(MOST)
                .filter(type -> !explorer.types(type, 1).contains(type))
                .map(type -> "No stored event has the type %s.".formatted(Visible.line(type)));
        Stream<String> tags = query.items().stream()
                .flatMap(item -> item.tags().stream())
                .map(Tag::value)
                .distinct()
                .limit(MOST)
                .filter(tag -> !explorer.tags(tag, 1).contains(tag))
                .map(tag -> "No stored event has the tag %s.".formatted(Visible.line(tag)));
        return Stream.concat(types, tags).toList();
    }
}

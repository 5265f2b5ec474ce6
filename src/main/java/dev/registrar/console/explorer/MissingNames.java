package dev.registrar.console.explorer;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The types and tags of a query that no stored event has: often misspelt, and then nothing matches. */
final class MissingNames {
    /** Maximum number of types, and of tags, that are looked up. */
    private static final int MOST = 20;

    private MissingNames() {}

    /** A sentence for each of them. */
    static List<String> of(Query query, StoreNames names) {
        Stream<String> types = query.items().stream().flatMap(item -> item.types().stream());
        Stream<String> tags =
                query.items().stream().flatMap(item -> item.tags().stream()).map(Tag::value);
        return Stream.concat(
                        missing("type", types, type -> names.types(type, 1)),
                        missing("tag", tags, tag -> names.tags(tag, 1)))
                .toList();
    }

    private static Stream<String> missing(
            String kind, Stream<String> names, Function<String, List<String>> beginningWith) {
        return names.distinct()
                .limit(MOST)
                .filter(name -> !beginningWith.apply(name).contains(name))
                .map(name -> "No stored event has the %s %s.".formatted(kind, Visible.line(name)));
    }
}

package dev.registrar.console.explorer;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An event that matches a query, and the items through which it does.
 *
 * @param event what is shown of the event
 * @param items the numbers of the items, from 1, in their order; one or more
 * @param through the first of these items, in words
 */
record ItemMatch(EventLine event, List<Integer> items, String through) {
    private static final int LONGEST = 300;

    static ItemMatch of(Query query, SequencedEvent event) {
        List<Integer> items = IntStream.range(0, query.items().size())
                .filter(i -> query.items().get(i).matches(event.event()))
                .mapToObj(i -> i + 1)
                .toList();
        return new ItemMatch(
                EventLine.withContent(event), items, words(query.items().get(items.getFirst() - 1)));
    }

    /** The items, as "item 2" or "items 2 and 3". */
    public String itemsInWords() {
        if (items.size() == 1) {
            return "item " + items.getFirst();
        }
        String others =
                items.subList(0, items.size() - 1).stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "items %s and %s".formatted(others, items.getLast());
    }

    /** An item in words, such as "type CourseDefined with the tag course:c1". */
    static String words(QueryItem item) {
        List<String> tags =
                item.tags().stream().map(Tag::value).map(Visible::line).toList();
        String types = item.types().isEmpty()
                ? "any type"
                : (item.types().size() == 1 ? "type " : "one of the types ")
                        + item.types().stream().map(Visible::line).collect(Collectors.joining(", "));
        String words = types
                + (tags.isEmpty()
                        ? ""
                        : (tags.size() == 1 ? " with the tag " : " with the tags ") + String.join(", ", tags));
        return words.length() <= LONGEST ? words : Visible.beginning(words, LONGEST);
    }
}

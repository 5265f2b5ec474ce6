package dev.registrar.console.explorer;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.Tag;
import dev.registrar.security.AccessMode;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A read, written as commands to copy. Every character of a type or tag that is not visible ASCII is an escape, so no
 * shell, compiler or terminal takes it for anything else.
 *
 * @param from the position at which the read begins, in reading direction; null for the first
 * @param limit the maximum number of events
 */
record Snippets(Query query, @Nullable Long from, Direction direction, long limit) {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /**
     * A command line for a POSIX shell.
     *
     * @param base the address of this service
     * @param mode whether the command needs an access token, which it takes from the variable TOKEN, or a password in
     *     place of the word PASSWORD
     */
    String curl(String base, AccessMode mode) {
        String login = switch (mode) {
            case LOCAL -> "";
            case DEMO -> " \\\n  -u auditor:PASSWORD";
            case TOKENS -> " \\\n  -H \"Authorization: Bearer $TOKEN\"";
        };
        return "curl -s %s -H 'Content-Type: application/json'%s \\\n  -d %s"
                .formatted(shell(base + "/dcb/read"), login, shell(body()));
    }

    /** The body of the request. */
    private String body() {
        ObjectNode body = JSON.createObjectNode();
        ObjectNode asked = body.putObject("query");
        if (!query.equals(Query.all())) {
            ArrayNode items = asked.putArray("items");
            query.items().forEach(item -> {
                ObjectNode json = items.addObject();
                put(json, "types", item.types());
                put(json, "tags", tags(item));
            });
        }
        ObjectNode options = body.putObject("options");
        if (from != null) {
            options.put("from", from);
        }
        if (direction == Direction.BACKWARDS) {
            options.put("backwards", true);
        }
        options.put("limit", limit);
        return visible(body);
    }

    private static void put(ObjectNode item, String name, Collection<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode list = item.putArray(name);
            texts.forEach(list::add);
        }
    }

    private static List<String> tags(QueryItem item) {
        return item.tags().stream().map(Tag::value).toList();
    }

    /* The mapper escapes all other characters without a shape. */
    private static String visible(Object value) {
        return JSON.writeValueAsString(value).replace("\u007F", "\\u007F");
    }

    private static String shell(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    /** A statement that reads from an {@code EventStore store}; the stream that it makes has to be closed. */
    String java() {
        String options = direction == Direction.BACKWARDS ? "ReadOptions.backwards()" : "ReadOptions.forwards()";
        return """
                try (EventStream events = store.read(
                        %s,
                        %s%s.limit(%s))) {
                    events.stream().forEach(System.out::println);
                }""".formatted(
                javaQuery(query), options, from == null ? "" : ".from(Position.of(%sL))".formatted(from), limit);
    }

    private static String javaQuery(Query query) {
        return query.equals(Query.all())
                ? "Query.all()"
                : query.items().stream()
                        .map(Snippets::java)
                        .collect(Collectors.joining(",\n                ", "Query.of(\n                ", ")"));
    }

    private static String java(QueryItem item) {
        String tags = javaTexts(tags(item));
        if (item.types().isEmpty()) {
            return item.tags().isEmpty() ? "QueryItem.any()" : "QueryItem.tags(%s)".formatted(tags);
        }
        String types = "QueryItem.types(%s)".formatted(javaTexts(item.types()));
        return item.tags().isEmpty() ? types : types + ".tagged(%s)".formatted(tags);
    }

    /* A string of JSON is one of Java, too: it writes a quote, a backslash and a line break without a number. */
    private static String javaTexts(Collection<String> texts) {
        return texts.stream().map(Snippets::visible).collect(Collectors.joining(", "));
    }
}

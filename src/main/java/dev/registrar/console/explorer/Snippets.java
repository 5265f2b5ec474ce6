package dev.registrar.console.explorer;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.Tag;
import dev.registrar.security.AccessMode;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A read, written as commands to copy. Every character of a type or tag that is not visible ASCII is an escape, so no
 * shell, compiler or terminal takes it for anything else.
 *
 * @param from the position at which the read begins, in reading direction; null for the first
 * @param limit the maximum number of events
 */
record Snippets(Query query, @Nullable Long from, Direction direction, long limit) {

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
    String body() {
        String items = query.equals(Query.all())
                ? ""
                : "\"items\": "
                        + query.items().stream().map(Snippets::json).collect(Collectors.joining(", ", "[", "]"));
        return "{\"query\": {%s}, \"options\": {%s%s\"limit\": %d}}"
                .formatted(
                        items,
                        from == null ? "" : "\"from\": %d, ".formatted(from),
                        direction == Direction.BACKWARDS ? "\"backwards\": true, " : "",
                        limit);
    }

    private static String json(QueryItem item) {
        String types = item.types().isEmpty() ? "" : "\"types\": " + jsonTexts(item.types());
        String tags = item.tags().isEmpty()
                ? ""
                : "\"tags\": " + jsonTexts(item.tags().stream().map(Tag::value).toList());
        return "{%s%s%s}".formatted(types, types.isEmpty() || tags.isEmpty() ? "" : ", ", tags);
    }

    private static String jsonTexts(Collection<String> texts) {
        return texts.stream().map(Snippets::jsonText).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String jsonText(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') {
                json.append('\\').append(unit);
            } else if (isVisibleAscii(unit)) {
                json.append(unit);
            } else {
                json.append("\\u%04x".formatted((int) unit));
            }
        }
        return json.append('"').toString();
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
                        %s%s.limit(%d))) {
                    events.stream().forEach(System.out::println);
                }""".formatted(
                javaQuery(query), options, from == null ? "" : ".from(Position.of(%dL))".formatted(from), limit);
    }

    private static String javaQuery(Query query) {
        return query.equals(Query.all())
                ? "Query.all()"
                : query.items().stream()
                        .map(Snippets::java)
                        .collect(Collectors.joining(",\n                ", "Query.of(\n                ", ")"));
    }

    private static String java(QueryItem item) {
        String tags = javaTexts(item.tags().stream().map(Tag::value).toList());
        if (item.types().isEmpty()) {
            return item.tags().isEmpty() ? "QueryItem.any()" : "QueryItem.tags(%s)".formatted(tags);
        }
        String types = "QueryItem.types(%s)".formatted(javaTexts(item.types()));
        return item.tags().isEmpty() ? types : types + ".tagged(%s)".formatted(tags);
    }

    private static String javaTexts(Collection<String> texts) {
        return texts.stream().map(Snippets::javaText).collect(Collectors.joining(", "));
    }

    /* Control characters are octal: the compiler replaces Unicode escapes first, so \\u000a would end the line. */
    private static String javaText(String text) {
        StringBuilder java = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            if (unit == '"' || unit == '\\') {
                java.append('\\').append(unit);
            } else if (isVisibleAscii(unit)) {
                java.append(unit);
            } else if (unit < 0x80) {
                java.append("\\%03o".formatted((int) unit));
            } else {
                java.append("\\u%04x".formatted((int) unit).toLowerCase(Locale.ROOT));
            }
        }
        return java.append('"').toString();
    }

    private static boolean isVisibleAscii(char unit) {
        return unit >= ' ' && unit < 0x7F;
    }
}

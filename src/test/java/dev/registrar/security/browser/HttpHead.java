package dev.registrar.security.browser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The head of an HTTP message.
 *
 * @param start the request line or the status line
 * @param fields the header's lines, without their ends
 */
record HttpHead(String start, List<String> fields) {
    private static final String END = "\r\n\r\n";

    HttpHead {
        fields = List.copyOf(fields);
    }

    /** @throws IOException if the connection ends before the head does */
    static HttpHead read(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!bytes.toString(StandardCharsets.ISO_8859_1).endsWith(END)) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("The connection ended within a head");
            }
            bytes.write(next);
        }
        List<String> lines =
                bytes.toString(StandardCharsets.ISO_8859_1).strip().lines().toList();
        return new HttpHead(lines.getFirst(), lines.subList(1, lines.size()));
    }

    /** The target of a request, or the status of an answer. */
    String targetOrStatus() {
        int from = start.indexOf(' ') + 1;
        int end = start.indexOf(' ', from);
        return end < 0 ? start.substring(from) : start.substring(from, end);
    }

    /** The header's value; empty if it has none. */
    String field(String name) {
        return fields.stream()
                .filter(field -> name(field).equalsIgnoreCase(name))
                .map(field -> field.substring(field.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** @param names in lower case */
    HttpHead without(Set<String> names) {
        return new HttpHead(
                start,
                fields.stream().filter(field -> !names.contains(name(field))).toList());
    }

    HttpHead with(String... more) {
        return new HttpHead(
                start, Stream.concat(fields.stream(), Stream.of(more)).toList());
    }

    private static String name(String field) {
        return field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT);
    }

    byte[] bytes() {
        return (start + "\r\n" + String.join("\r\n", fields) + END).getBytes(StandardCharsets.ISO_8859_1);
    }
}

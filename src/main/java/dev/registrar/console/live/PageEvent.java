package dev.registrar.console.live;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;

/** A server-sent event, encoded once for all pages that receive it. */
public final class PageEvent {
    private final byte[] encoded;

    private PageEvent(byte[] encoded) {
        this.encoded = encoded;
    }

    /**
     * An event without an id.
     *
     * @param name to which a page listens, in one line
     * @param data such as a fragment of HTML; each of its lines becomes a line of data
     * @throws IllegalArgumentException if the name has several lines
     */
    public static PageEvent of(String name, String data) {
        if (!isLine(name)) {
            throw new IllegalArgumentException("The name of an event must be one line but is '%s'".formatted(name));
        }
        StringBuilder text = new StringBuilder("event: ").append(name).append('\n');
        for (String line : data.split("\r\n|\r|\n", -1)) {
            text.append("data: ").append(line).append('\n');
        }
        return new PageEvent(text.append('\n').toString().getBytes(UTF_8));
    }

    /**
     * The same event with an id, which the browser sends as {@code Last-Event-ID} when it connects again.
     *
     * @throws IllegalArgumentException if the id has several lines
     */
    public PageEvent withId(String id) {
        if (!isLine(id)) {
            throw new IllegalArgumentException("The id of an event must be one line but is '%s'".formatted(id));
        }
        byte[] line = "id: %s\n".formatted(id).getBytes(UTF_8);
        byte[] both = new byte[line.length + encoded.length];
        System.arraycopy(line, 0, both, 0, line.length);
        System.arraycopy(encoded, 0, both, line.length, encoded.length);
        return new PageEvent(both);
    }

    private static boolean isLine(String text) {
        return text.indexOf('\n') < 0 && text.indexOf('\r') < 0 && text.indexOf('\0') < 0;
    }

    void writeTo(OutputStream out) throws IOException {
        out.write(encoded);
    }

    @Override
    public String toString() {
        return new String(encoded, UTF_8);
    }
}

package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests byte for byte, including requests that an HTTP library would not send. */
final class RawClient {
    private static final int MAX_WAIT_MILLIS = 60_000;
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final int port;
    private final InetAddress from;

    RawClient(int port) {
        this(port, InetAddress.getLoopbackAddress());
    }

    /** @param from the address of this client */
    RawClient(int port, InetAddress from) {
        this.port = port;
        this.from = from;
    }

    /** The bytes received until the server closed the connection, parsed. */
    record Response(int status, Map<String, String> headers, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        /** Asserts a problem (RFC 9457) with this status, code and instance, and with a detail. */
        Response expectProblem(int expected, String code, String instance) {
            assertThat(status).as(body).isEqualTo(expected);
            assertThat(header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(json().path("status").asInt()).isEqualTo(expected);
            assertThat(json().path("code").asString()).as(body).isEqualTo(code);
            assertThat(json().path("instance").asString()).isEqualTo(instance);
            assertThat(json().path("detail").asString()).as(body).isNotBlank();
            return this;
        }
    }

    /** Sends a request with correct line ends in its head. */
    Response send(String requestLine, String headers, String body) {
        String content = body.isEmpty() ? "" : "Content-Length: %s\r\n".formatted(body.length());
        return send("%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s%s\r\n%s"
                .formatted(requestLine, headers, content, body));
    }

    Response get(String path) {
        return send("GET " + path, "", "");
    }

    /** Sends each character as one byte (ISO 8859-1). */
    Response send(String request) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port, from, 0)) {
            socket.setSoTimeout(MAX_WAIT_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return response(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Response response(String text) {
        int end = text.indexOf(END_OF_HEAD);
        assertThat(end).as("the end of the head in: %s", text).isPositive();
        List<String> lines = text.substring(0, end).lines().toList();
        Map<String, String> headers = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    "%s, %s"::formatted);
        }
        String statusLine = lines.getFirst();
        int status = statusLine.indexOf(' ') + 1;
        String body = text.substring(end + END_OF_HEAD.length());
        boolean chunked = headers.getOrDefault("transfer-encoding", "").equals("chunked");
        return new Response(
                Integer.parseInt(statusLine, status, status + 3, 10), headers, utf8(chunked ? joined(body) : body));
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    private static String joined(String chunks) {
        StringBuilder body = new StringBuilder();
        int at = 0;
        while (true) {
            int endOfLength = chunks.indexOf("\r\n", at);
            int length = Integer.parseInt(chunks.substring(at, endOfLength), 16);
            if (length == 0) {
                return body.toString();
            }
            body.append(chunks, endOfLength + 2, endOfLength + 2 + length);
            at = endOfLength + 2 + length + 2;
        }
    }
}

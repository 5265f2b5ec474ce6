package dev.registrar.security.browser;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a browser and the service, and records what the browser sent and what the service answered.
 *
 * <p>It has pages of its own as well: a name that resolves to the attacker for a page, and then to the service for all
 * other paths, is a name that was rebound.
 */
final class Relay implements AutoCloseable {
    private static final Set<String> OF_CONNECTION = Set.of("connection", "keep-alive");

    /** What the service decides on. */
    private static final Set<String> FROM_BROWSERS =
            Set.of("host", "origin", "referer", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "sec-fetch-user");

    /** What the service forbids a browser. */
    private static final Set<String> FOR_BROWSERS = Set.of(
            "content-security-policy",
            "x-frame-options",
            "x-content-type-options",
            "cross-origin-resource-policy",
            "cross-origin-opener-policy");

    /** A request and the status of its answer. */
    record Exchange(HttpHead request, int status) {
        String path() {
            return request.targetOrStatus();
        }
    }

    private final int service;
    private final boolean protects;
    private final ServerSocket door;
    private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
    private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();

    private Relay(int service, boolean protects) {
        this.service = service;
        this.protects = protects;
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** Passes everything on as it is, except that each connection carries one request. */
    static Relay to(int service) {
        return new Relay(service, true);
    }

    /**
     * Takes the service's protection away: the service sees requests that no browser sent, to its own name, and its
     * answers allow everything.
     */
    static Relay withoutProtection(int service) {
        return new Relay(service, false);
    }

    int port() {
        return door.getLocalPort();
    }

    List<Exchange> exchanges() {
        return List.copyOf(exchanges);
    }

    /** Adds a page of the relay's own, or replaces it. */
    void page(String path, String html, String... fields) {
        answer(path, "200 OK", html, fields);
    }

    /** Adds an answer of the relay's own, or replaces it. */
    void answer(String path, String status, String html, String... fields) {
        byte[] body = html.getBytes(StandardCharsets.UTF_8);
        HttpHead head = new HttpHead("HTTP/1.1 " + status, List.of(fields))
                .with("Content-Type: text/html", "Content-Length: " + body.length, "Connection: close");
        pages.put(path, concatenated(head.bytes(), body));
    }

    private static byte[] concatenated(byte[] head, byte[] body) {
        byte[] all = Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket browser = door.accept();
                Thread.ofVirtual().start(() -> serve(browser));
            } catch (IOException closed) {
                return;
            }
        }
    }

    /* A browser also opens connections on which it sends nothing, and closes those whose page has gone. */
    private void serve(Socket browser) {
        try (browser) {
            InputStream in = new BufferedInputStream(browser.getInputStream());
            HttpHead request = HttpHead.read(in);
            String length = request.field("Content-Length");
            byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
            byte[] page = pages.get(request.targetOrStatus());
            if (page != null) {
                browser.getOutputStream().write(page);
                return;
            }
            pass(request, body, browser.getOutputStream());
        } catch (IOException ended) {
            // The exchange is not recorded: a test that expects it fails.
        }
    }

    private void pass(HttpHead request, byte[] body, OutputStream browser) throws IOException {
        try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), service)) {
            HttpHead sent = (protects ? request : request.without(FROM_BROWSERS).with("Host: 127.0.0.1:" + service))
                    .without(OF_CONNECTION)
                    .with("Connection: close");
            connection.getOutputStream().write(sent.bytes());
            connection.getOutputStream().write(body);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            HttpHead answer = HttpHead.read(in);
            exchanges.add(new Exchange(request, Integer.parseInt(answer.targetOrStatus())));
            browser.write((protects ? answer : opened(answer)).bytes());
            in.transferTo(browser);
        }
    }

    private static HttpHead opened(HttpHead answer) {
        return answer.without(FOR_BROWSERS)
                .with(
                        "Access-Control-Allow-Origin: *",
                        "Access-Control-Allow-Methods: *",
                        "Access-Control-Allow-Headers: *");
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

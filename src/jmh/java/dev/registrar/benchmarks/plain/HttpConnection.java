package dev.registrar.benchmarks.plain;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection to the service that sends one request at a time and reads the whole answer. It costs a fraction of the
 * CPU time of an HTTP client, which would be taken from the service on the same machine.
 */
final class HttpConnection implements AutoCloseable {
    private static final int BUFFER = 16_384;

    private final int port;
    private Socket socket;
    private InputStream answer;
    /** Whether the server closes the connection after its last answer, as it does now and then. */
    private boolean ends;

    HttpConnection(int port) throws IOException {
        this.port = port;
        this.socket = connected(port);
        this.answer = new BufferedInputStream(socket.getInputStream(), BUFFER);
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        return socket;
    }

    /** The bytes of a request. */
    static byte[] request(String method, String path, String body, String... headers) {
        StringBuilder text = new StringBuilder("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n".formatted(method, path))
                .append("Accept: application/json\r\n");
        if (!body.isEmpty()) {
            text.append("Content-Type: application/json\r\n");
        }
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        return text.append("Content-Length: %s\r\n\r\n%s".formatted(content.length, body))
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Sends a request, reads the answer, and returns its status. */
    int send(byte[] request) throws IOException {
        if (ends) {
            close();
            socket = connected(port);
            answer = new BufferedInputStream(socket.getInputStream(), BUFFER);
            ends = false;
        }
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line().substring(9, 12));
        long length = 0;
        boolean chunked = false;
        for (String header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "content-length" ->
                    length = Long.parseLong(header.substring(colon + 1).strip());
                case "transfer-encoding" -> chunked = true;
                case "connection" -> ends = header.endsWith("close");
                default -> {}
            }
        }
        if (chunked) {
            skipChunks();
        } else {
            answer.skipNBytes(length);
        }
        return status;
    }

    private void skipChunks() throws IOException {
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            answer.skipNBytes(size);
            line();
        }
        line();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int next = answer.read(); next != '\n'; next = answer.read()) {
            if (next < 0) {
                throw new EOFException("The service has closed the connection after '%s'".formatted(line));
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

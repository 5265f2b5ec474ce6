package dev.registrar.benchmarks.plain;

import dev.registrar.benchmarks.Arrivals;
import dev.registrar.benchmarks.ServiceProcess;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A caller's connection to the service that sends one request at a time and reads the whole answer. It costs a fraction
 * of the CPU time of an HTTP client, which would be taken from the service on the same machine.
 */
@State(Scope.Thread)
public class HttpConnection {
    private static final int BUFFER = 16_384;

    private final int port = ServiceProcess.portOfThisProcess();
    private Arrivals arrivals;
    private Socket socket = new Socket();
    private InputStream answer = InputStream.nullInputStream();
    /** Whether the server closes the connection after its last answer, as it does now and then. */
    private boolean ends;

    @Setup
    public void prepare(Arrivals measured) throws IOException {
        arrivals = measured;
        connect();
    }

    /** The bytes of a request with these names and values of headers. */
    static byte[] request(String method, String path, String body, String... headers) {
        StringBuilder text = new StringBuilder("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\n".formatted(method, path))
                .append("Accept: application/json\r\n");
        if (!body.isEmpty()) {
            text.append("Content-Type: application/json\r\n");
        }
        for (int i = 0; i < headers.length; i += 2) {
            text.append("%s: %s\r\n".formatted(headers[i], headers[i + 1]));
        }
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        return text.append("Content-Length: %s\r\n\r\n%s".formatted(content.length, body))
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Sends the request when it is due, and returns the status of the answer, which must be an expected one. */
    int send(byte[] request, int... expected) throws IOException {
        long due = arrivals.await();
        if (ends) {
            connect();
        }
        socket.getOutputStream().write(request);
        int status = status();
        arrivals.end(due);
        if (IntStream.of(expected).noneMatch(right -> right == status)) {
            throw new IllegalStateException("The status of the answer was %s".formatted(status));
        }
        return status;
    }

    private void connect() throws IOException {
        close();
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(60_000);
        answer = new BufferedInputStream(socket.getInputStream(), BUFFER);
        ends = false;
    }

    /* Of the answer, which is read to its end. */
    private int status() throws IOException {
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

    @TearDown
    public void close() throws IOException {
        socket.close();
    }
}

package dev.registrar;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TCP proxy between a store and its database that can delay, cut, refuse or freeze connections.
 *
 * <p>A request that contains {@code cut-reply-}, a number and a semicolon reaches the database, but the proxy closes
 * the connection instead of delivering the reply. Each such mark works once, so that the same request can be sent
 * again.
 */
public final class DatabaseProxy implements AutoCloseable {
    private static final Pattern MARK = Pattern.compile("cut-reply-\\d+;");

    private final InetSocketAddress database;
    private final int port;
    private final String url;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Set<String> usedMarks = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connected = new AtomicInteger();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition thawed = lock.newCondition();
    private ServerSocket door;
    private boolean frozen;
    private int repliesUntilFrozen;
    private volatile boolean refusesAfterLostReply;
    private volatile Duration latency = Duration.ZERO;

    private DatabaseProxy(URI target, ServerSocket door) {
        this.database = new InetSocketAddress(target.getHost(), target.getPort());
        this.door = door;
        this.port = door.getLocalPort();
        this.url = "jdbc:postgresql://127.0.0.1:%s%s".formatted(port, target.getPath());
    }

    /** Opens a proxy in front of a database with a URL that names host and port. */
    public static DatabaseProxy to(String jdbcUrl) {
        DatabaseProxy proxy = new DatabaseProxy(URI.create(jdbcUrl.substring("jdbc:".length())), door(0));
        proxy.listen();
        return proxy;
    }

    private static ServerSocket door(int port) {
        try {
            ServerSocket door = new ServerSocket();
            door.setReuseAddress(true);
            door.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return door;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The database's URL through this proxy. */
    public String url() {
        return url;
    }

    /** The port at which this proxy listens. */
    public int port() {
        return port;
    }

    /** The number of connections accepted so far. */
    public int connected() {
        return connected.get();
    }

    /** Delays all data in both directions. */
    public void delay(Duration time) {
        latency = time;
    }

    /** Closes all open connections. */
    public void cut() {
        links.forEach(Link::close);
    }

    /** Refuses new connections and closes the open ones. */
    public void refuse() {
        try {
            door.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        cut();
    }

    /** Refuses new connections from the next lost reply on, before the client can notice the loss. */
    public void refuseAfterLostReply() {
        refusesAfterLostReply = true;
    }

    /** Accepts new connections again. */
    public void accept() {
        refusesAfterLostReply = false;
        door = door(port);
        listen();
    }

    /** Forwards nothing, while connections stay open. */
    public void freeze() {
        lock.lock();
        try {
            frozen = true;
        } finally {
            lock.unlock();
        }
    }

    /** Forwards this number of further pieces of replies, then nothing. */
    public void freezeAfterReplies(int replies) {
        lock.lock();
        try {
            repliesUntilFrozen = replies;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the proxy forwards nothing. */
    public boolean isFrozen() {
        lock.lock();
        try {
            return frozen;
        } finally {
            lock.unlock();
        }
    }

    private void replied() {
        lock.lock();
        try {
            if (repliesUntilFrozen > 0 && --repliesUntilFrozen == 0) {
                frozen = true;
            }
        } finally {
            lock.unlock();
        }
    }

    public void thaw() {
        lock.lock();
        try {
            frozen = false;
            repliesUntilFrozen = 0;
            thawed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        refuse();
        thaw();
    }

    private void listen() {
        ServerSocket open = door;
        Thread.ofVirtual().start(() -> {
            while (!open.isClosed()) {
                try {
                    Link link = new Link(open.accept());
                    connected.incrementAndGet();
                    links.add(link);
                    link.start();
                } catch (IOException closed) {
                    // Connections are refused or the database is down: the client sees the failure.
                }
            }
        });
    }

    private void awaitThaw() throws InterruptedException {
        lock.lock();
        try {
            while (frozen) {
                thawed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A connection of a client and the matching connection to the database. */
    private final class Link {
        private final Socket client;
        private final Socket server;
        private volatile boolean losesReply;

        private Link(Socket client) throws IOException {
            this.client = client;
            this.server = new Socket();
            try {
                client.setTcpNoDelay(true);
                server.setTcpNoDelay(true);
                server.connect(database);
            } catch (IOException unreachable) {
                client.close();
                throw unreachable;
            }
        }

        private void start() {
            Thread.ofVirtual().start(() -> pump(client, server, this::isForwarded));
            Thread.ofVirtual().start(() -> pump(server, client, this::isAnswered));
        }

        private boolean isAnswered(String reply) {
            // The client may or may not receive this reply; nothing that it sends afterwards arrives.
            replied();
            if (losesReply && refusesAfterLostReply) {
                refuse();
            }
            return !losesReply;
        }

        private boolean isForwarded(String request) {
            Matcher mark = MARK.matcher(request);
            if (mark.find() && usedMarks.add(mark.group())) {
                losesReply = true;
            }
            return true;
        }

        private void pump(Socket from, Socket to, Predicate<String> gate) {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    awaitThaw();
                    TimeUnit.NANOSECONDS.sleep(latency.toNanos());
                    if (!gate.test(new String(buffer, 0, read, StandardCharsets.ISO_8859_1))) {
                        break;
                    }
                    out.write(buffer, 0, read);
                    out.flush();
                }
            } catch (IOException | InterruptedException cut) {
                // One side has closed, so the other is closed too.
            } finally {
                close();
            }
        }

        private void close() {
            links.remove(this);
            try (Socket one = client;
                    Socket other = server) {
                one.setSoLinger(true, 0);
                other.setTcpNoDelay(true);
            } catch (IOException gone) {
                // The connection is closed, as intended.
            }
        }
    }
}

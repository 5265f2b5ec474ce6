package dev.registrar.testdatabase;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A fresh, empty database on the PostgreSQL server that tests and benchmarks of this JVM share.
 *
 * <p>The server is, in this order: the one named by {@code registrar.test.database.url} (system property, or
 * {@code REGISTRAR_TEST_DATABASE_URL}, each with {@code username} and {@code password} beside it), a container if
 * Docker can start one quickly, the embedded binaries. Commits are durable unless the named server is configured
 * otherwise, or {@code registrar.test.database.fsync} is {@code off} for the embedded one. That one has its data in the
 * folder for temporary files, or in {@code registrar.test.database.folder}. The choice is printed once.
 */
public final class TestDatabase implements AutoCloseable {
    private static final int SMALL_POOL = 10;
    private static final AtomicInteger CREATED = new AtomicInteger();
    private static final Set<String> HANDED_OVER = ConcurrentHashMap.newKeySet();
    private static final Map<String, String> TEMPLATES = new ConcurrentHashMap<>();

    private final TestServer server;
    private final String name;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final DataSource dataSource;

    private TestDatabase(TestServer server, String name) {
        this.server = server;
        this.name = name;
        this.dataSource = pool(SMALL_POOL);
    }

    /** Creates an empty database, without migrations, for the caller alone. */
    public static TestDatabase create() {
        return create(TestServer.shared(), "template1");
    }

    /** Creates a database on a server other than the shared one, for tests that change the server's settings. */
    public static TestDatabase createOn(TestServer server) {
        return create(server, "template1");
    }

    /**
     * Creates a copy of a database that is prepared once for each JVM, which takes a fraction of the preparation's
     * time.
     *
     * @param name of the prepared database
     * @param preparation creates what the copies have, in an empty database
     */
    public static TestDatabase createCopy(String name, Consumer<DataSource> preparation) {
        return create(TestServer.shared(), TEMPLATES.computeIfAbsent(name, absent -> prepared(preparation)));
    }

    private static TestDatabase create(TestServer server, String template) {
        var name = newName();
        execute(server, "create database %s template %s".formatted(name, template));
        return new TestDatabase(server, name);
    }

    private static String newName() {
        return "test_%s_%s".formatted(ProcessHandle.current().pid(), CREATED.incrementAndGet());
    }

    private static String prepared(Consumer<DataSource> preparation) {
        var server = TestServer.shared();
        var name = newName();
        execute(server, "create database " + name);
        TestServer.stopAtExit(() -> execute(server, "drop database " + name));
        preparation.accept(dataSource(server, name));
        return name;
    }

    private static DataSource dataSource(TestServer server, String name) {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setURL(server.urlOf(name));
        database.setUser(server.username());
        database.setPassword(server.password());
        return database;
    }

    /** The number of databases that this JVM has created for tests. */
    public static int createdDatabases() {
        return CREATED.get();
    }

    public String name() {
        return name;
    }

    public String url() {
        return server.urlOf(name);
    }

    public String username() {
        return server.username();
    }

    public String password() {
        return server.password();
    }

    /** A pool of ten connections; each call returns the same pool. */
    public DataSource dataSource() {
        return dataSource;
    }

    /** A new pool of this size, closed with this database at the latest. */
    public HikariDataSource pool(int size) {
        var settings = new HikariConfig();
        settings.setJdbcUrl(url());
        settings.setUsername(username());
        settings.setPassword(password());
        settings.setMaximumPoolSize(size);
        settings.setMinimumIdle(0);
        var pool = new HikariDataSource(settings);
        synchronized (pools) {
            pools.add(pool);
        }
        return pool;
    }

    /** Makes new sessions of this database read-only, as on a server that has become a standby, or writable again. */
    public void setReadOnly(boolean isReadOnly) {
        execute(server, "alter database %s set default_transaction_read_only = %s".formatted(name, isReadOnly));
    }

    /** Ends all sessions, and returns the same database for another test. It is dropped when the JVM exits. */
    public TestDatabase handedOver() {
        closePools();
        if (HANDED_OVER.add(name)) {
            TestServer.stopAtExit(this);
        }
        execute(server, """
                select pg_terminate_backend(pid, 10000)
                from pg_stat_activity
                where datname = '%s'
                and backend_type = 'client backend'""".formatted(name));
        return new TestDatabase(server, name);
    }

    private void closePools() {
        synchronized (pools) {
            pools.forEach(HikariDataSource::close);
        }
    }

    /** Closes the pools and drops the database, even if connections to it are still open. */
    @Override
    public void close() {
        closePools();
        execute(server, "drop database if exists %s with (force)".formatted(name));
    }

    private static void execute(TestServer server, String sql) {
        try (var connection = server.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}

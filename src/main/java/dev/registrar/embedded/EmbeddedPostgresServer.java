package dev.registrar.embedded;

import static java.util.Map.entry;

import com.sun.management.OperatingSystemMXBean;
import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.util.LinuxUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/** An embedded PostgreSQL server: durable, reachable over loopback only, stopped by {@link #close()}. */
final class EmbeddedPostgresServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgresServer.class);

    private static final String MAJOR_VERSION = "18";
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);

    private static final Map<String, String> SERVER_SETTINGS = Map.ofEntries(
            // An acknowledged commit survives a power cut. The library's default has the first two off.
            entry("fsync", "on"),
            entry("synchronous_commit", "on"),
            entry("full_page_writes", "on"),
            // Reachable from this machine only, and not by a socket in the shared temporary folder.
            entry("listen_addresses", "127.0.0.1"),
            entry("unix_socket_directories", ""),
            // A bulk load does not force a checkpoint every few seconds, and finds recycled log files.
            entry("max_wal_size", "2GB"),
            entry("min_wal_size", "512MB"),
            // The default is one segment of the log, which is only 1 MB here: see below.
            entry("wal_buffers", "16MB"),
            // Enough for the pools, the listeners and a person with psql.
            entry("max_connections", "200"),
            // Our statements are short: JIT compilation costs more than it saves.
            entry("jit", "off"));

    private static final Map<String, String> CLUSTER_SETTINGS = Map.ofEntries(
            // The same sort order on every machine; an upgrade of the operating system cannot break an index.
            entry("locale", "C"),
            entry("locale-provider", "builtin"),
            entry("builtin-locale", "C.UTF-8"),
            // All commits wait while a new segment of the log is filled with zeros: 1 MB instead of 16 MB.
            entry("wal-segsize", "1"));

    /** Reads of a million enrollment events touch 660 MB of tables and indexes. */
    private static final DataSize MAX_SHARED_BUFFERS = DataSize.ofGigabytes(1);

    private final EmbeddedPostgres postgres;
    private final Passwords passwords;
    private final DataFolderLock lock;
    private final Optional<ProcessHandle> process;
    private final DatabaseInUse inUse;
    private final EmbeddedTagSecret tagSecret;

    private EmbeddedPostgresServer(EmbeddedPostgres postgres, Passwords passwords, DataFolderLock lock, Path dataFolder)
            throws IOException {
        this.postgres = postgres;
        this.passwords = passwords;
        this.lock = lock;
        this.process = ServerProcess.of(dataFolder);
        this.inUse = DatabaseInUse.embedded(version(postgres), postgres.getPort(), dataFolder);
        this.tagSecret = EmbeddedTagSecret.in(dataFolder);
    }

    /**
     * Starts the server on the settings' data folder, which is created if it is missing.
     *
     * @throws EmbeddedPostgresFailure if the operator has to do something first
     */
    static EmbeddedPostgresServer start(EmbeddedPostgresSettings settings) {
        try {
            refuseRootWithoutUserNamespace();
            var dataFolder = Files.createDirectories(settings.dataDirectory().toAbsolutePath())
                    .toRealPath();
            var lock = DataFolderLock.take(beside(dataFolder, ".lock"), settings.dataDirectory());
            try {
                return start(settings, lock, dataFolder);
            } catch (RuntimeException | IOException failure) {
                lock.close();
                throw failure;
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void refuseRootWithoutUserNamespace() {
        if ("root".equals(System.getProperty("user.name"))
                && System.getProperty("os.name").equals("Linux")
                && !LinuxUtils.isUnshareAvailable()) {
            throw new EmbeddedPostgresFailure(
                    "PostgreSQL does not run as root, and this machine does not let root enter a user namespace"
                            + " (unshare -U).",
                    "Start Registrar as another user, or set spring.datasource.url to a database of your own.");
        }
    }

    private static EmbeddedPostgresServer start(EmbeddedPostgresSettings settings, DataFolderLock lock, Path dataFolder)
            throws IOException {
        ServerProcess.stopLeftOver(dataFolder);
        refuseTakenPort(settings.port());
        /*
         * The marker file lies beside the folder from before initdb until the first start has succeeded. If a start finds
         * it, an earlier first start died in between: the folder contains an incomplete cluster and no data.
         */
        var unfinished = beside(dataFolder, ".unfinished");
        if (Files.exists(unfinished)) {
            FileSystemUtils.deleteRecursively(dataFolder);
            Files.createDirectories(dataFolder);
        } else if (isEmpty(dataFolder)) {
            LOG.info("Creating a database in {}: the first start takes some seconds longer", dataFolder);
            Files.createFile(unfinished);
        } else {
            refuseForeignFolder(dataFolder);
        }
        var passwords = passwords(dataFolder);
        var postgres = launch(settings, dataFolder, passwords);
        EmbeddedPostgresServer server;
        try {
            restrict(dataFolder, postgres, passwords);
            server = new EmbeddedPostgresServer(postgres, passwords, lock, dataFolder);
        } catch (RuntimeException | IOException failure) {
            postgres.close();
            throw failure;
        }
        Files.deleteIfExists(unfinished);
        LOG.info(
                "Database: {} on 127.0.0.1:{}, data in {}", server.inUse.name(), server.postgres.getPort(), dataFolder);
        return server;
    }

    /* Drawn for a new cluster, and for one that an operator has opened because the password file is lost. */
    private static Passwords passwords(Path dataFolder) throws IOException {
        if (isEmpty(dataFolder)) {
            // Written when initdb has filled the folder: it wants an empty one.
            return Passwords.random();
        }
        var file = Access.passwordFile(dataFolder);
        if (Files.exists(file)) {
            return Passwords.read(file);
        }
        if (!Access.isOpen(dataFolder)) {
            throw Passwords.failure("The file %s with the passwords of the embedded PostgreSQL is missing.", file);
        }
        var passwords = Passwords.random();
        passwords.write(file);
        return passwords;
    }

    private static void restrict(Path dataFolder, EmbeddedPostgres postgres, Passwords passwords) {
        try {
            Access.restrict(dataFolder, postgres.getPostgresDatabase(), passwords);
        } catch (SQLException | IOException failure) {
            throw new EmbeddedPostgresFailure(
                    "The roles of the embedded PostgreSQL cannot be set up: %s.".formatted(failure.getMessage()),
                    "Start again; if it fails again, read %s.".formatted(beside(dataFolder, ".log")),
                    failure);
        }
    }

    private static void refuseTakenPort(int port) throws IOException {
        if (port == 0) {
            return;
        }
        try (var probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (BindException taken) {
            throw new EmbeddedPostgresFailure(
                    "Port %s, set by registrar.embedded.port, is taken by another program.".formatted(port),
                    "Stop that program, or set registrar.embedded.port to another port, or to 0 for any free one.",
                    taken);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (var content = Files.list(folder)) {
            return content.findAny().isEmpty();
        }
    }

    private static void refuseForeignFolder(Path dataFolder) throws IOException {
        var versionFile = dataFolder.resolve("PG_VERSION");
        if (Files.notExists(versionFile)) {
            throw new EmbeddedPostgresFailure(
                    "The folder %s is not empty and contains no PostgreSQL data.".formatted(dataFolder),
                    "Set registrar.embedded.data-directory to an empty folder.");
        }
        var version = Files.readString(versionFile).strip();
        if (!version.equals(MAJOR_VERSION)) {
            throw new EmbeddedPostgresFailure(
                    "The folder %s contains data of PostgreSQL %s, but the embedded PostgreSQL is %s."
                            .formatted(dataFolder, version, MAJOR_VERSION),
                    "Move the data with pg_dump, or set registrar.embedded.data-directory to another folder.");
        }
    }

    private static EmbeddedPostgres launch(EmbeddedPostgresSettings settings, Path dataFolder, Passwords passwords)
            throws IOException {
        var log = beside(dataFolder, ".log");
        OwnerOnly.write(log, "");
        var firstPassword = beside(dataFolder, ".first-password");
        // The library lets all users write to its folder, so it lies in one that no other user can enter.
        var binaries = OwnerOnly.folder(beside(dataFolder, "-binaries")).resolve("unpacked");
        var builder = EmbeddedPostgres.builder()
                .setDataDirectory(dataFolder)
                .setCleanDataDirectory(false)
                .setOverrideWorkingDirectory(binaries.toFile())
                // The library unpacks the binaries once per resolver; a shared resolver would use the first server's
                // folder.
                .setPgBinaryResolver(
                        (system, hardware) -> DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, hardware))
                .setRegisterShutdownHook(false)
                .setPGStartupWait(settings.startupTimeout())
                .setOutputRedirector(Redirect.appendTo(log.toFile()))
                .setPort(settings.port());
        SERVER_SETTINGS.forEach(builder::setServerConfig);
        builder.setServerConfig("shared_buffers", sharedBuffers(memory()).toMegabytes() + "MB");
        CLUSTER_SETTINGS.forEach(builder::setLocaleConfig);
        // The library's own choice, which these replace, is to trust every user of the machine.
        builder.setLocaleConfig("auth-host", "scram-sha-256")
                .setLocaleConfig("auth-local", "reject")
                .setLocaleConfig("pwfile", firstPassword.toString())
                .setConnectConfig("password", passwords.superuser());
        OwnerOnly.write(firstPassword, passwords.superuser() + "\n");
        try {
            return builder.start();
        } catch (RuntimeException | IOException failure) {
            ServerProcess.stopLeftOver(dataFolder);
            throw new EmbeddedPostgresFailure(
                    "The embedded PostgreSQL did not start: %s.".formatted(failure.getMessage()),
                    "Read %s; if it recovers from a crash, set a longer registrar.embedded.startup-timeout."
                            .formatted(log),
                    failure);
        } finally {
            Files.deleteIfExists(firstPassword);
        }
    }

    private static DataSize memory() {
        return DataSize.ofBytes(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }

    /** A quarter of the memory, as the PostgreSQL manual recommends for a start; at most 1 GB. */
    static DataSize sharedBuffers(DataSize memory) {
        return DataSize.ofBytes(Math.min(memory.toBytes() / 4, MAX_SHARED_BUFFERS.toBytes()));
    }

    private static Path beside(Path dataFolder, String suffix) {
        return dataFolder.resolveSibling(dataFolder.getFileName() + suffix);
    }

    String jdbcUrl() {
        return "jdbc:" + address(postgres.getPort());
    }

    /** The server's database, as psql and, after {@code jdbc:}, the driver take it. */
    static String address(int port) {
        return "postgresql://127.0.0.1:%s/postgres".formatted(port);
    }

    DatabaseInUse inUse() {
        return inUse;
    }

    EmbeddedTagSecret tagSecret() {
        return tagSecret;
    }

    /** The role that the service uses. It owns the database, and is no superuser. */
    String username() {
        return Passwords.SERVICE;
    }

    String password() {
        return passwords.service();
    }

    private static String version(EmbeddedPostgres postgres) {
        try (var connection = postgres.getPostgresDatabase().getConnection()) {
            return connection.getMetaData().getDatabaseProductVersion();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Stops the server in fast mode: open transactions are rolled back, committed ones are kept. */
    @Override
    public void close() throws IOException {
        // The library waits for five seconds only; a large shutdown checkpoint may take longer.
        postgres.close();
        if (!ServerProcess.endedWithin(STOP_TIMEOUT, process.stream().toList())) {
            LOG.warn("The embedded PostgreSQL has not stopped within {} s", STOP_TIMEOUT.toSeconds());
        }
        lock.close();
    }
}

package dev.registrar.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Who may use the database of an embedded PostgreSQL: two roles, each with its password. */
final class Access {
    /*
     * An operator who has lost the password file opens the cluster to every user of the machine. The next start first
     * writes new passwords, then sets them, then asks for passwords again: after a crash in between, the start after it
     * finds the cluster still open and does it again.
     */
    private static final String RULES = """
            # Written by Registrar: each role logs in with its password, which is in registrar.pgpass.
            host all all 127.0.0.1/32 scram-sha-256
            """;

    private static final String IS_OWNER = """
            select exists (
                select
                from pg_database
                join pg_roles on pg_roles.oid = pg_database.datdba
                where pg_database.datname = current_database()
                and pg_roles.rolname = '%s'
            )""".formatted(Passwords.SERVICE);

    /* The database's owner may create schemas, and is the owner of the schema "public". */
    private static final String GIVE_DATABASE = """
            create role %1$s login;
            alter database postgres owner to %1$s""".formatted(Passwords.SERVICE);

    private Access() {}

    /** Whether the cluster in a data folder lets users of the machine in without a password. */
    static boolean isOpen(Path dataFolder) throws IOException {
        try (var lines = Files.lines(rules(dataFolder), StandardCharsets.UTF_8)) {
            return lines.map(String::strip).anyMatch(line -> !line.startsWith("#") && line.endsWith("trust"));
        }
    }

    /**
     * Lets the two roles in with their passwords and no other, and gives the database to the service's role.
     *
     * @param superuser connections of the superuser
     */
    static void restrict(Path dataFolder, DataSource superuser, Passwords passwords) throws IOException, SQLException {
        Path passwordFile = passwordFile(dataFolder);
        if (Files.notExists(passwordFile)) {
            passwords.write(passwordFile);
        }
        try (Connection connection = superuser.getConnection();
                Statement statement = connection.createStatement()) {
            boolean open = isOpen(dataFolder);
            boolean owner = isOwner(statement);
            if (!owner) {
                statement.execute(GIVE_DATABASE);
            }
            if (!owner || open) {
                setPassword(statement, Passwords.SERVICE, passwords.service());
            }
            if (open) {
                setPassword(statement, Passwords.SUPERUSER, passwords.superuser());
                OwnerOnly.write(rules(dataFolder), RULES);
                statement.execute("select pg_reload_conf()");
            }
        }
    }

    private static boolean isOwner(Statement statement) throws SQLException {
        try (ResultSet answer = statement.executeQuery(IS_OWNER)) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    private static void setPassword(Statement statement, String role, String password) throws SQLException {
        statement.execute("alter role %s password '%s'".formatted(role, password));
    }

    /** In the data folder, so that a copy of the folder has it, too. */
    static Path passwordFile(Path dataFolder) {
        return dataFolder.resolve("registrar.pgpass");
    }

    private static Path rules(Path dataFolder) {
        return dataFolder.resolve("pg_hba.conf");
    }
}

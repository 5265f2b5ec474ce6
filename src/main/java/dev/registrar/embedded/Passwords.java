package dev.registrar.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/**
 * The passwords of the two roles of the embedded PostgreSQL: the superuser, and the role of the service. They are in a
 * password file of libpq, so {@code PGPASSFILE=… psql -h 127.0.0.1 -U registrar_service postgres} finds them.
 *
 * @param superuser of the role {@value #SUPERUSER}
 * @param service of the role {@value #SERVICE}
 */
record Passwords(String superuser, String service) {
    static final String SUPERUSER = "postgres";
    /* Not the name of a schema: PostgreSQL would look for tables in the schema that has the role's name first. */
    static final String SERVICE = "registrar_service";

    private static final int BYTES = 32;

    /** Passwords of 256 random bits each. */
    static Passwords random() {
        SecureRandom random = new SecureRandom();
        return new Passwords(text(random), text(random));
    }

    /* Without a character that means something in SQL or in a password file. */
    private static String text(SecureRandom random) {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Reads the password file.
     *
     * @throws EmbeddedPostgresFailure if it lacks a role
     */
    static Passwords read(Path file) throws IOException {
        Map<String, String> byRole = new HashMap<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            String[] fields = line.split(":", -1);
            if (fields.length == 5) {
                byRole.put(fields[3], fields[4]);
            }
        }
        if (!byRole.containsKey(SUPERUSER) || !byRole.containsKey(SERVICE)) {
            throw failure("The password file %%s lacks the role %s or %s.".formatted(SUPERUSER, SERVICE), file);
        }
        return new Passwords(byRole.get(SUPERUSER), byRole.get(SERVICE));
    }

    /** A start without the passwords, and the two ways out. */
    static EmbeddedPostgresFailure failure(String description, Path file) {
        return new EmbeddedPostgresFailure(
                description.formatted(file),
                "Restore it from a backup of the folder. Or delete it and write \"host all all 127.0.0.1/32 trust\" into %s: the next start draws new passwords and takes the line out."
                        .formatted(file.resolveSibling("pg_hba.conf")));
    }

    void write(Path file) throws IOException {
        OwnerOnly.write(file, line(SUPERUSER, superuser) + line(SERVICE, service));
    }

    private static String line(String role, String password) {
        return "127.0.0.1:*:*:%s:%s\n".formatted(role, password);
    }

    @Override
    public String toString() {
        return "Passwords of %s and %s".formatted(SUPERUSER, SERVICE);
    }
}

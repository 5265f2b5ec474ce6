package dev.registrar.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The secret of the tags in an embedded PostgreSQL: a file in its data folder, beside the passwords and outside the
 * database.
 *
 * @param text 256 random bits as text
 */
public record EmbeddedTagSecret(String text) {

    /** Reads the file, which is written if it is missing. */
    static EmbeddedTagSecret in(Path dataFolder) {
        Path file = dataFolder.resolve("registrar.tag-secret");
        try {
            if (Files.notExists(file)) {
                OwnerOnly.write(file, Passwords.random().service() + "\n");
            }
            return new EmbeddedTagSecret(
                    Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "EmbeddedTagSecret";
    }
}

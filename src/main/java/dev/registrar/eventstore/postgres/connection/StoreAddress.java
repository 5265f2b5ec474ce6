package dev.registrar.eventstore.postgres.connection;

import org.jspecify.annotations.Nullable;

/**
 * Where the store's database is, and as which role to connect.
 *
 * @param url of JDBC, such as {@code jdbc:postgresql://localhost/shop}
 * @param username of the role; null if the URL names it, or for the driver's default
 * @param password of the role; null if the URL has it, or for none
 */
public record StoreAddress(
        String url, @Nullable String username, @Nullable String password) {

    /** The role alone: the URL may hold a password, too. */
    @Override
    public String toString() {
        return "StoreAddress[username=%s]".formatted(username);
    }
}

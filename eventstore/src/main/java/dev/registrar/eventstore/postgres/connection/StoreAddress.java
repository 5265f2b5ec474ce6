package dev.registrar.eventstore.postgres.connection;

import org.jspecify.annotations.Nullable;

/**
 * The address of the store's database, and the role to connect as.
 *
 * @param url a JDBC URL, such as {@code jdbc:postgresql://localhost/shop}
 * @param username the name of the role; null to use the URL's or the driver's default
 * @param password the password of the role; null to use the URL's or none
 */
public record StoreAddress(
        String url, @Nullable String username, @Nullable String password) {

    /** Names only the role, because the URL may contain a password. */
    @Override
    public String toString() {
        return "StoreAddress[username=%s]".formatted(username);
    }
}

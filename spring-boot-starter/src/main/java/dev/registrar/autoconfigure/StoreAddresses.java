package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Determines the address for the store's own pool. It is not taken from the application's pool, which may hide or
 * change its credentials.
 */
final class StoreAddresses {
    private static final String DRIVER = "jdbc:postgresql:";

    private StoreAddresses() {}

    /**
     * The address from Spring Boot's connection details, or otherwise from {@code spring.datasource.url} and its
     * credentials.
     *
     * @param details null if the application creates its {@code DataSource} itself
     * @throws StoreStartFailure if there is no URL, or if it is not one of PostgreSQL
     */
    static StoreAddress of(@Nullable JdbcConnectionDetails details, Environment environment) {
        StoreAddress address = details == null
                ? configured(environment)
                : new StoreAddress(details.getJdbcUrl(), details.getUsername(), details.getPassword());
        check(
                address.url(),
                "The event store needs PostgreSQL, but the database URL begins with '%s' instead of '%s'.",
                "Set spring.datasource.url to a PostgreSQL database, or define an EventStore bean.");
        return address;
    }

    /**
     * The address of a replica, which has the roles of its primary.
     *
     * @throws StoreStartFailure if the URL is not one of PostgreSQL
     */
    static StoreAddress ofReplica(String url, StoreAddress primary) {
        check(
                url,
                "The read replica must be a PostgreSQL server, but registrar.replica.url begins with '%s' instead of '%s'.",
                "Set registrar.replica.url to a standby of the database, or leave it out.");
        return new StoreAddress(url, primary.username(), primary.password());
    }

    private static void check(String url, String description, String action) {
        if (!url.startsWith(DRIVER)) {
            throw new StoreStartFailure(description.formatted(driver(url), DRIVER), action, null);
        }
    }

    private static StoreAddress configured(Environment environment) {
        String url = text(environment, "spring.datasource.url");
        if (url == null) {
            throw new StoreStartFailure(
                    "The event store has no address of its database: the application creates its DataSource itself,"
                            + " spring.datasource.url is not set, and there is no StoreAddress bean.",
                    "Set spring.datasource.url, spring.datasource.username and spring.datasource.password to the database"
                            + " of the DataSource, or define a bean of the type %s."
                                    .formatted(StoreAddress.class.getName()),
                    null);
        }
        return new StoreAddress(
                url, text(environment, "spring.datasource.username"), text(environment, "spring.datasource.password"));
    }

    private static @Nullable String text(Environment environment, String property) {
        String value = environment.getProperty(property);
        return StringUtils.hasText(value) ? value : null;
    }

    /* The rest of a URL may contain a password. */
    private static String driver(String url) {
        int colon = url.indexOf(':', url.indexOf(':') + 1);
        return colon < 0 ? "" : url.substring(0, colon + 1);
    }
}

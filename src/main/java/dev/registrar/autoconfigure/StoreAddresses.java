package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Where the store's own pool connects to: never asked of the application's pool, which may hide or change its
 * credentials.
 */
final class StoreAddresses {
    private static final String DRIVER = "jdbc:postgresql:";

    private StoreAddresses() {}

    /**
     * The address by Spring Boot's connection details, or else by {@code spring.datasource.url} and its credentials.
     *
     * @param details null if the application makes its {@code DataSource} itself
     * @throws StoreStartFailure if there is no URL, or one of another database than PostgreSQL
     */
    static StoreAddress of(@Nullable JdbcConnectionDetails details, Environment environment) {
        StoreAddress address = details == null
                ? configured(environment)
                : new StoreAddress(details.getJdbcUrl(), details.getUsername(), details.getPassword());
        if (!address.url().startsWith(DRIVER)) {
            throw new StoreStartFailure(
                    "The event store needs PostgreSQL, but the URL of the database begins with '%s' and not with '%s'."
                            .formatted(driver(address.url()), DRIVER),
                    "Set spring.datasource.url to a database of PostgreSQL, or define an EventStore of your own as a bean.",
                    null);
        }
        return address;
    }

    private static StoreAddress configured(Environment environment) {
        String url = text(environment, "spring.datasource.url");
        if (url == null) {
            throw new StoreStartFailure(
                    "The event store does not know where its database is: the application makes its DataSource itself,"
                            + " spring.datasource.url is not set, and no bean is a StoreAddress.",
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

    /* The rest of a URL may hold a password. */
    private static String driver(String url) {
        int colon = url.indexOf(':', url.indexOf(':') + 1);
        return colon < 0 ? "" : url.substring(0, colon + 1);
    }
}

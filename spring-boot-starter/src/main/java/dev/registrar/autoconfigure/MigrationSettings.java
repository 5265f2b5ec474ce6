package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.StoreAddress;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.StringUtils;

/**
 * How the store's migrations reach the database. Spring Boot's settings for an application's own migrations apply to
 * them, too.
 *
 * @param url the JDBC URL for migrations; that of the store if there is none
 * @param user the role that owns the store's schema, migrates it, and grants the service's role what the service needs;
 *     if there is none, the service's role owns the schema
 * @param password the password of that role
 * @param connectRetries how often a start tries again to connect to a database that does not answer, 0 to 100
 * @param connectRetriesInterval the longest pause between two attempts to connect, above zero; seconds if it has no
 *     unit
 */
@ConfigurationProperties("spring.flyway")
record MigrationSettings(
        @Nullable String url,
        @Nullable String user,
        @Nullable String password,
        @DefaultValue("0") int connectRetries,

        @DurationUnit(ChronoUnit.SECONDS) @DefaultValue("120s")
        Duration connectRetriesInterval) {

    MigrationSettings {
        if (connectRetries < 0 || connectRetries > 100) {
            throw new IllegalArgumentException(
                    "spring.flyway.connect-retries must be 0 to 100 but is %s".formatted(connectRetries));
        }
        if (!connectRetriesInterval.isPositive()) {
            throw new IllegalArgumentException("spring.flyway.connect-retries-interval must be above zero but is %s"
                    .formatted(connectRetriesInterval));
        }
    }

    /** The address of the store's database for the owner of the schema; empty if the service's role is the owner. */
    Optional<StoreAddress> owner(Supplier<StoreAddress> store) {
        return StringUtils.hasText(user)
                ? Optional.of(new StoreAddress(
                        StringUtils.hasText(url) ? url : store.get().url(), user, password))
                : Optional.empty();
    }

    /** Without the password, and without the URL, which may contain one. */
    @Override
    public String toString() {
        return "MigrationSettings[user=%s, connectRetries=%s, connectRetriesInterval=%s]"
                .formatted(user, connectRetries, connectRetriesInterval);
    }
}

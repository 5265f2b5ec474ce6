package dev.registrar.embedded;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The database of the service, as an operator knows it.
 *
 * @param name of the server, without credentials
 * @param psql the command that connects to it; null if the URL names no host
 * @param dataFolder where its data lies; null if another program runs the server
 */
public record DatabaseInUse(
        String name, @Nullable String psql, @Nullable Path dataFolder) {
    private static final String PREFIX = "jdbc:";

    static DatabaseInUse embedded(String version, int port, Path dataFolder) {
        return new DatabaseInUse(
                "embedded PostgreSQL " + version,
                "PGPASSFILE='%s' %s"
                        .formatted(
                                Access.passwordFile(dataFolder),
                                psql(Passwords.SERVICE, EmbeddedPostgresServer.address(port))),
                dataFolder);
    }

    /** The database of {@code spring.datasource.url}. */
    static DatabaseInUse configured(Environment environment) {
        String url = withoutCredentials(environment.getRequiredProperty("spring.datasource.url"));
        boolean namesHost = url.startsWith(PREFIX + "postgresql://");
        return new DatabaseInUse(
                url,
                namesHost
                        ? psql(environment.getProperty("spring.datasource.username"), url.substring(PREFIX.length()))
                        : null,
                null);
    }

    private static String withoutCredentials(String url) {
        return url.replaceFirst("[?].*", "").replaceFirst("//[^/]*@", "//");
    }

    private static String psql(@Nullable String username, String address) {
        return StringUtils.hasText(username) ? "psql -U %s %s".formatted(username, address) : "psql " + address;
    }
}

package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.connection.StoreAddress;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The connections of the role that owns the store's schema, if that is not the role of the service. */
final class SchemaOwner {
    /* With several hosts in the URL, the one that accepts writes. */
    private static final Map<String, String> PROPERTIES =
            Map.of("ApplicationName", "registrar migration", "targetServerType", "primary", "tcpKeepAlive", "true");

    private SchemaOwner() {}

    /** Connections as this role, without a pool: they are few, and closed after their use. */
    static DataSource connections(StoreAddress owner) {
        DriverManagerDataSource connections = new DriverManagerDataSource();
        connections.setUrl(owner.url());
        connections.setUsername(owner.username());
        connections.setPassword(owner.password());
        Properties properties = new Properties();
        properties.putAll(PROPERTIES);
        connections.setConnectionProperties(properties);
        return connections;
    }
}

package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.connection.Failures;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import javax.sql.DataSource;

/** Marks that the store's schema is migrated. Beans that use the schema's tables depend on this bean. */
record MigratedSchema(String name) {

    /**
     * Migrates the schema: as the owner of the settings, who then grants the service's role what it needs, or otherwise
     * as the service's role.
     *
     * @param erasure whether that includes erasures
     * @param retagging whether that includes added tags
     */
    static MigratedSchema migrate(
            DataSource service,
            StoreAddress store,
            StoreOptions options,
            MigrationSettings settings,
            boolean erasure,
            boolean retagging) {
        Optional<StoreAddress> owner = settings.owner(() -> store);
        PostgresEventStore.migrate(
                owner.orElse(store), options, settings.connectRetries(), settings.connectRetriesInterval());
        owner.ifPresent(separate -> grant(
                StoreConnections.forMigrations(separate, options),
                options.schema(),
                role(service),
                erasure,
                retagging));
        return new MigratedSchema(options.schema());
    }

    private static void grant(DataSource owner, String schema, String role, boolean erasure, boolean retagging) {
        if (!role.equals(role(owner))) {
            StoreSchema.grant(owner, schema, role, erasure, retagging);
        }
    }

    private static String role(DataSource connections) {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select current_user")) {
            row.next();
            return row.getString(1);
        } catch (SQLException failure) {
            throw Failures.read(failure);
        }
    }
}

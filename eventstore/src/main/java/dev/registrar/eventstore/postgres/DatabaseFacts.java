package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;

/**
 * What an operator wants to know of the store's database.
 *
 * @param version of the server
 * @param name of the database
 * @param databaseBytes the size of the whole database on disk
 * @param storeBytes the size of the tables and indexes in the store's schema
 */
public record DatabaseFacts(String version, String name, long databaseBytes, long storeBytes) {
    private static final String FACTS = """
            select current_setting('server_version'),
                current_database(),
                pg_database_size(current_database()),
                (select coalesce(sum(pg_total_relation_size(class.oid)), 0)::bigint
                 from pg_class as class
                 join pg_namespace as namespace on namespace.oid = class.relnamespace
                 where namespace.nspname = ? and class.relkind in ('r', 'm'))""";

    static DatabaseFacts read(Database database, String schema) {
        return database.run(
                FACTS,
                statement -> new Parameters(statement)
                        .add(schema)
                        .only(row ->
                                new DatabaseFacts(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4))));
    }
}

package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.rush.DisposableSchemas.Disposable;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

class DisposableSchemasTest {
    private static final String MARK = "A schema of a test";

    @AutoClose
    private final StoreDatabase database = new StoreDatabase();

    private final DisposableSchemas schemas = new DisposableSchemas(database.address(), "short_", MARK);

    private boolean exists(String schema) {
        return JdbcClient.create(database.database().dataSource())
                        .sql("select count(*) from pg_namespace where nspname = ?")
                        .param(schema)
                        .query(Integer.class)
                        .single()
                == 1;
    }

    @Test
    void a_schema_is_dropped_with_its_store() {
        Disposable schema = schemas.create();
        database.migrate(schema.name());
        assertThat(exists(schema.name())).isTrue();

        schema.close();

        assertThat(exists(schema.name())).isFalse();
    }

    /* Another process starts while a schema is in use. */
    @Test
    void a_schema_in_use_is_no_leftover() {
        try (Disposable schema = schemas.create()) {
            assertThat(new DisposableSchemas(database.address(), "short_", MARK).dropLeftovers())
                    .isEmpty();
            assertThat(exists(schema.name())).isTrue();
        }
    }

    @Test
    void only_schemas_with_the_prefix_and_the_mark_are_leftovers() {
        database.execute("create schema short_left; comment on schema short_left is '%s'".formatted(MARK));
        database.execute("create schema short_unmarked");
        database.execute("create schema other; comment on schema other is '%s'".formatted(MARK));

        assertThat(schemas.dropLeftovers()).containsExactly("short_left");
        assertThat(exists("short_unmarked")).isTrue();
        assertThat(exists("other")).isTrue();
    }

    @Test
    void a_role_without_the_right_is_recognized() {
        String role = database.database().name() + "_reader";
        database.execute("create role %s login password 'secret'".formatted(role));
        try {
            StoreAddress address = new StoreAddress(database.address().url(), role, "secret");

            assertThat(new DisposableSchemas(address, "short_", MARK).isPermitted())
                    .isFalse();
            assertThat(schemas.isPermitted()).isTrue();
        } finally {
            database.execute("drop role " + role);
        }
    }
}

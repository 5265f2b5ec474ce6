package dev.registrar.eventstore.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.registrar.TwoRoles;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.RetaggingEventStore.Retagged;
import dev.registrar.eventstore.StateStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the role of a service may do in a store that another role owns, and what the server refuses to it. */
class ServiceRoleTest {
    private static final String INSUFFICIENT_PRIVILEGE = "42501";
    private static final String SCHEMA = "registrar";

    private static final List<String> CHANGES_OF_THE_LOG = List.of(
            "update registrar.events set payload = '{}'",
            "update registrar.event_tags set tag = 'a'",
            "delete from registrar.events",
            "delete from registrar.event_tags",
            "truncate registrar.events",
            "truncate registrar.event_tags",
            "truncate registrar.idempotency_keys, registrar.events",
            "insert into registrar.events select * from registrar.events"
                    + " on conflict (position) do update set payload = '{}'",
            "merge into registrar.events using registrar.store on true when matched then delete",
            "select from registrar.events for update",
            "copy registrar.events to program 'cat'",
            "copy registrar.events to '/tmp/events'",
            "drop table registrar.events",
            "drop schema registrar cascade",
            "drop function registrar.lock_store()",
            "alter table registrar.events add column note text",
            "alter table registrar.events rename to forgotten",
            "alter table registrar.events disable trigger all",
            "alter table registrar.events disable trigger events_are_append_only",
            "alter table registrar.event_tags disable trigger event_tags_are_append_only",
            "alter table registrar.events set unlogged",
            "alter table registrar.events owner to current_user",
            "alter schema registrar rename to forgotten",
            "drop trigger events_are_append_only on registrar.events",
            "create trigger note before insert on registrar.events"
                    + " for each row execute function registrar.refuse_change()",
            "create rule note as on insert to registrar.events do instead nothing",
            "create policy note on registrar.events",
            "create index note on registrar.events (type)",
            "create table registrar.note (content text)",
            "create function registrar.note() returns int language sql as 'select 1'",
            "create or replace function registrar.refuse_change() returns trigger language plpgsql"
                    + " as 'begin return new; end'",
            "update registrar.store set incarnation = gen_random_uuid()",
            "select registrar.import_events(gen_random_uuid(), 0, '', false)",
            "select registrar.erase_events(0, 0, '{}', '{}', '{}', '{}', '{}', '{}', '', '', '')",
            "select registrar.retag_events('{}', '{}', '{}', 1, 1, gen_random_uuid(), '', '', null, '', '', '')",
            "insert into registrar.erasures select * from registrar.erasures",
            "insert into registrar.retaggings select * from registrar.retaggings",
            "insert into registrar.tag_additions select * from registrar.tag_additions",
            "update registrar.tag_secret set check_value = ''",
            "delete from registrar.registrar_schema_history",
            // The grant alone is only a warning.
            "grant update on registrar.events to public; update registrar.events set payload = '{}'",
            "set session_replication_role = replica",
            "set role ${owner}",
            "set session authorization ${owner}",
            "alter role ${service} superuser",
            "grant ${owner} to ${service}",
            "alter system set fsync = off",
            "alter database ${database} owner to ${service}");

    private TwoRoles roles;
    private DataSource owner;
    private DataSource service;

    @BeforeEach
    void create() {
        roles = TwoRoles.create();
        owner = roles.as(roles.owner());
        service = roles.as(roles.service());
    }

    @AfterEach
    void drop() {
        roles.close();
    }

    private void migrate() {
        StoreSchema.migrate(owner, SCHEMA);
        StoreSchema.grant(owner, SCHEMA, roles.service());
    }

    private PostgresEventStore open() {
        return PostgresEventStore.open(roles.database().url(), roles.service(), "secret");
    }

    private static SQLException failure(DataSource connections, String sql) {
        return catchThrowableOfType(SQLException.class, () -> execute(connections, sql));
    }

    private static void execute(DataSource connections, String sql) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String answer(DataSource connections, String query) throws SQLException {
        try (Connection connection = connections.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void the_server_refuses_to_the_service_what_changes_the_log() {
        migrate();
        try (PostgresEventStore store = open()) {
            store.append(Append.of(Event.of("Happened", "{}", "thing:1")));
        }

        assertThat(CHANGES_OF_THE_LOG)
                .allSatisfy(sql ->
                        assertThat(failure(service, named(sql)).getSQLState()).isEqualTo(INSUFFICIENT_PRIVILEGE));
    }

    private String named(String sql) {
        return sql.replace("${owner}", roles.owner())
                .replace("${service}", roles.service())
                .replace("${database}", roles.database().name());
    }

    /* The control of the test above: in a store of one role, only the triggers protect the log. */
    @Test
    @Tag("thorough")
    void the_owner_can_disable_the_triggers_and_delete_events() throws SQLException {
        migrate();

        assertThat(failure(owner, "delete from registrar.events").getSQLState()).isEqualTo("DCB02");
        execute(owner, "alter table registrar.events disable trigger all; delete from registrar.events");
    }

    @Test
    void a_store_works_as_the_role_of_the_service() throws SQLException {
        migrate();
        Append append = Append.of(Event.of("Happened", "{}", "thing:1"));
        try (PostgresEventStore store = open()) {
            store.append(append.under(new IdempotencyKey("key", "fingerprint")));
            assertThat(store.append(append.under(new IdempotencyKey("key", "fingerprint"))))
                    .extracting("repeated")
                    .isEqualTo(true);
            store.append(append.holding(ResourceLocks.of(List.of("thing"), Duration.ofSeconds(5))));

            assertThat(store.read(Query.all()).stream()).hasSize(2);
            execute(service, "update registrar.idempotency_keys set recorded_at = recorded_at - interval '1 year'");
            assertThat(store.forgetExpiredKeys(10)).isEqualTo(1);
            StateStore.StoredState state = new StateStore.StoredState("thing", "1", store.head(), 2, "state", 0);
            assertThat(store.store(state)).isTrue();
            assertThat(store.storedState("thing", "1", Query.all())).contains(state);
            assertThat(store.deleteStoredStates()).isOne();
        }
    }

    @Test
    void a_role_that_is_granted_erasures_erases_and_changes_nothing_else() throws SQLException {
        StoreSchema.migrate(owner, SCHEMA);
        StoreSchema.grant(owner, SCHEMA, roles.service(), true, false);
        try (PostgresEventStore store = open()) {
            store.append(Append.of(Event.of("Happened", "personal", "thing:1")));

            assertThat(store.erase(
                            Query.all(),
                            stored -> new Masking.Masked("{}", "{}", null, Set.of()),
                            Actor.of("issuer", "office"),
                            "request 17"))
                    .isEqualTo(1);
            assertThat(store.read(Query.all()).stream())
                    .singleElement()
                    .extracting(stored -> stored.event().payload())
                    .isEqualTo("{}");
        }
        assertThat(failure(service, "update registrar.events set payload = '{}'")
                        .getSQLState())
                .isEqualTo(INSUFFICIENT_PRIVILEGE);

        StoreSchema.grant(owner, SCHEMA, roles.service());
        assertThat(failure(
                                service,
                                CHANGES_OF_THE_LOG.stream()
                                        .filter(sql -> sql.contains("erase_events"))
                                        .findFirst()
                                        .orElseThrow())
                        .getSQLState())
                .isEqualTo(INSUFFICIENT_PRIVILEGE);
    }

    @Test
    void a_role_that_is_granted_added_tags_adds_them_and_changes_nothing_else() throws SQLException {
        StoreSchema.migrate(owner, SCHEMA);
        StoreSchema.grant(owner, SCHEMA, roles.service(), false, true);
        try (PostgresEventStore store = open()) {
            store.append(Append.of(Event.of("Happened", "{}", "thing:1")));

            assertThat(store.retag(
                            Query.all(),
                            Set.of(new dev.registrar.eventstore.Tag("term:1")),
                            Actor.of("issuer", "admin"),
                            "ticket 17"))
                    .isEqualTo(new Retagged(1, Position.of(2)));
        }
        assertThat(failure(service, "update registrar.events set tags = '{}'").getSQLState())
                .isEqualTo(INSUFFICIENT_PRIVILEGE);
    }

    /* A migration that adds a table has to name it in service-role.sql. */
    @Test
    @Tag("thorough")
    void the_role_of_the_service_reads_every_table_but_the_history() throws SQLException {
        migrate();

        assertThat(answer(owner, """
                        select string_agg(relname, ', ')
                        from pg_class
                        where relnamespace = 'registrar'::regnamespace
                        and relkind in ('r', 'p', 'v', 'm')
                        and not has_table_privilege('%s', oid, 'select')""".formatted(roles.service()))).isEqualTo("registrar_schema_history");
    }

    @Test
    @Tag("thorough")
    void a_second_grant_takes_away_what_the_first_one_does_not_give() throws SQLException {
        migrate();
        execute(owner, "grant all on registrar.events, registrar.store to " + roles.service());
        execute(owner, "grant create on schema registrar to " + roles.service());

        StoreSchema.grant(owner, SCHEMA, roles.service());

        assertThat(failure(service, "update registrar.store set incarnation = gen_random_uuid()")
                        .getSQLState())
                .isEqualTo(INSUFFICIENT_PRIVILEGE);
        assertThat(failure(service, "create table registrar.note ()").getSQLState())
                .isEqualTo(INSUFFICIENT_PRIVILEGE);
    }

    @Test
    @Tag("thorough")
    void a_role_that_may_still_change_events_is_refused() throws SQLException {
        StoreSchema.migrate(owner, SCHEMA);
        DataSource superuser = roles.database().dataSource();
        execute(superuser, "revoke %s from %s".formatted(roles.service(), roles.owner()));
        Map<String, String> grants = Map.of(
                "alter role ${service} superuser", "alter role ${service} nosuperuser",
                "grant ${owner} to ${service}", "revoke ${owner} from ${service}",
                "grant ${owner} to ${service} with inherit false", "revoke ${owner} from ${service}",
                "grant pg_write_all_data to ${service}", "revoke pg_write_all_data from ${service}",
                "grant update on registrar.events to public", "revoke update on registrar.events from public",
                "grant update (payload) on registrar.events to public",
                        "revoke update (payload) on registrar.events from public",
                "grant trigger on registrar.event_tags to public", "revoke trigger on registrar.event_tags from public",
                "grant create on schema registrar to public", "revoke create on schema registrar from public");

        for (Map.Entry<String, String> grant : grants.entrySet()) {
            execute(superuser, named(grant.getKey()));
            assertThatThrownBy(() -> StoreSchema.grant(owner, SCHEMA, roles.service()))
                    .as(grant.getKey())
                    .isInstanceOf(StoreStartFailure.class)
                    .hasMessageContaining("may change events");
            execute(superuser, named(grant.getValue()));
        }
        StoreSchema.grant(owner, SCHEMA, roles.service());
    }

    @Test
    @Tag("thorough")
    void a_store_without_grants_says_what_the_role_of_the_service_lacks() {
        StoreSchema.migrate(owner, SCHEMA);

        assertThatThrownBy(this::open).isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
            assertThat(failure.description()).contains("may not use the schema 'registrar'");
            assertThat(failure.action()).contains("StoreSchema.grant");
        });
    }

    @Test
    @Tag("thorough")
    void a_migration_as_the_service_says_which_role_owns_the_schema() {
        migrate();

        assertThatThrownBy(() -> StoreSchema.migrate(service, SCHEMA))
                .rootCause()
                .hasMessageContaining("it belongs to the role %s".formatted(roles.owner()))
                .hasMessageContaining("this connection is of the role %s".formatted(roles.service()));
    }

    @Test
    @Tag("thorough")
    void a_grant_to_a_role_that_is_missing_fails() {
        StoreSchema.migrate(owner, SCHEMA);

        assertThatThrownBy(() -> StoreSchema.grant(owner, SCHEMA, "missing"))
                .isInstanceOf(StoreStartFailure.class)
                .hasMessageContaining("role \"missing\" does not exist");
    }

    @Test
    @Tag("thorough")
    void a_name_that_would_end_a_text_of_the_script_is_refused() {
        assertThat(List.of("", "a\"; drop schema registrar; --", "a'", "$$", "a\\", "a\n"))
                .allSatisfy(role -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> StoreSchema.grant(owner, SCHEMA, role))
                        .withMessageContaining("name of a role"));
    }

    @Test
    @Tag("thorough")
    void instances_that_start_at_once_grant_without_a_conflict() throws Exception {
        StoreSchema.migrate(owner, SCHEMA);
        List<Future<?>> grants = new ArrayList<>();
        try (ExecutorService instances = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int instance = 0; instance < 8; instance++) {
                grants.add(instances.submit(() -> StoreSchema.grant(owner, SCHEMA, roles.service())));
            }
        }
        for (Future<?> grant : grants) {
            grant.get();
        }
        StoreSchema.check(service, SCHEMA);
    }

    /*
     * The service creates a schema with the owner's name, and in it an operator that fits better than the system's own.
     * Without the empty search path of the database, statements of the owner would call its function.
     */
    @Test
    @Tag("thorough")
    void a_schema_of_the_service_does_not_catch_statements_of_the_owner() throws SQLException {
        migrate();
        execute(service, """
                create schema %1$s;
                create table %1$s.caught (role text);
                grant usage on schema %1$s to public;
                grant insert, select on %1$s.caught to public;
                create function %1$s.catch(varchar, varchar) returns boolean language plpgsql as $$
                begin
                    insert into %1$s.caught values (current_user);
                    return true;
                end
                $$;
                create operator %1$s.= (leftarg = varchar, rightarg = varchar, function = %1$s.catch);
                """.formatted(roles.owner()));

        execute(owner, "select from registrar.registrar_schema_history where script = 'a'::varchar");
        migrate();
        assertThat(answer(service, "select count(*) from %s.caught".formatted(roles.owner())))
                .isEqualTo("0");

        execute(
                roles.database().dataSource(),
                "alter database %s reset search_path".formatted(roles.database().name()));
        execute(owner, "select from registrar.registrar_schema_history where script = 'a'::varchar");
        assertThat(answer(service, "select max(role) from %s.caught".formatted(roles.owner())))
                .isEqualTo(roles.owner());
    }

    @Test
    @Tag("thorough")
    void a_store_of_one_role_is_upgraded_to_two() throws SQLException {
        try (TwoRoles upgraded = TwoRoles.onlyOf(TestDatabase.create())) {
            DataSource single = upgraded.as(upgraded.owner());
            StoreSchema.migrate(single, SCHEMA);
            execute(single, """
                    create schema registrar_waiting_lists;
                    create table registrar_waiting_lists.entry (id int generated always as identity primary key);
                    insert into registrar.projections (name, build, version, incarnation, position)
                    select 'waiting-lists', 'live', 1, incarnation, 0 from registrar.store;
                    """);
            assertThatThrownBy(() -> StoreSchema.grant(single, SCHEMA, upgraded.service()))
                    .isInstanceOf(StoreStartFailure.class)
                    .hasMessageContaining("registrar_waiting_lists");

            upgraded.run("add-service-role.sql");
            upgraded.run("add-service-role.sql");

            StoreSchema.grant(single, SCHEMA, upgraded.service());
            execute(upgraded.as(upgraded.service()), """
                    insert into registrar_waiting_lists.entry default values;
                    alter schema registrar_waiting_lists rename to registrar_waiting_lists_next;
                    create schema registrar_other;
                    """);
            assertThat(failure(upgraded.as(upgraded.service()), "delete from registrar.events")
                            .getSQLState())
                    .isEqualTo(INSUFFICIENT_PRIVILEGE);
        }
    }
}

package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** The service with two roles: one owns and migrates the schema, and the service works as the other. */
@Tag("thorough")
@ExtendWith(OutputCaptureExtension.class)
class TwoRolesServiceTest {
    private static final String WITHOUT_MIGRATION = "registrar.store.migrate=false";
    private static final String LOAD_TESTS = "registrar.load-test.enabled=true";

    private TwoRoles roles;

    @BeforeEach
    void create() {
        roles = TwoRoles.create();
    }

    @AfterEach
    void drop() {
        roles.close();
    }

    private String[] arguments(List<String> owner, String... settings) {
        List<String> all = new ArrayList<>(roles.serviceSettings());
        all.addAll(owner);
        all.addAll(List.of(settings));
        all.add("server.port=0");
        return all.stream().map("--"::concat).toArray(String[]::new);
    }

    private ConfigurableApplicationContext service(String... settings) {
        return RegistrarApplication.application().run(arguments(List.of(), settings));
    }

    private ConfigurableApplicationContext serviceWithOwner(String... settings) {
        return RegistrarApplication.application().run(arguments(roles.ownerSettings(), settings));
    }

    private static Api api(ConfigurableApplicationContext service) {
        return new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @Test
    void everything_works_that_works_with_one_role(CapturedOutput output) {
        try (ConfigurableApplicationContext service = serviceWithOwner("registrar.warm-up.enabled=true")) {
            Api api = api(service);
            useEverything(api);
            rebuildAll(api);

            assertThat(output).doesNotContain("permission denied");
        }
    }

    private static void useEverything(Api api) {
        String course = api.course(1);
        String ann = api.student();
        String bob = api.student();
        api.enroll(ann, course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, bob)).expect(201);
        api.delete("/api/courses/%s/students/%s".formatted(course, ann)).expect(204);
        await().until(() ->
                api.get("/api/courses/%s/students".formatted(course)).text().contains(bob));
        api.delete("/api/students/%s/personal-data?reason=17".formatted(ann)).expect(204);
        await().until(() -> api.get("/api/students/" + ann).text().contains("(erased)"));

        String noted = "{\"events\": {\"type\": \"Noted\", \"tags\": [\"note:1\"], \"data\": {}}}";
        assertThat(position(api, noted)).isEqualTo(position(api, noted));
        api.post("/api/admin/tags", """
                        {"query": {"items": [{"tags": ["note:1"]}]}, "tags": ["term:1"], "reason": "Ticket 17"}""").expect(200);

        String imported = Api.newId("imported");
        api.post(
                        "/api/courses/import",
                        "id,title,capacity\n%s,Latin,7\n".formatted(imported),
                        "Content-Type",
                        "text/csv")
                .expect(202);
        await().until(() -> api.get("/api/courses/%s?consistency=strong".formatted(imported))
                        .status()
                == 200);
    }

    private static long position(Api api, String append) {
        return api.post("/dcb/append", append, "Idempotency-Key", "key-1")
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    private static void rebuildAll(Api api) {
        api.post("/api/admin/projections/rebuild", "").expect(200);
        await().until(() -> !api.get("/api/admin/projections").text().contains("\"rebuild\""));
        assertThat(api.get("/api/admin/projections").text()).doesNotContain("permission", "\"STOPPED\"");
    }

    /* As in docker-compose.yml: the service never has the owner's password. */
    @Test
    void a_start_of_its_own_migrates_for_a_service_without_the_owner(CapturedOutput output) {
        StartTest.runMain(arguments(roles.ownerSettings(), "registrar.stop-when-ready=true"));
        assertThat(output).contains("Migrated the schema registrar");

        try (ConfigurableApplicationContext service = service(WITHOUT_MIGRATION)) {
            Api api = api(service);
            useEverything(api);
            rebuildAll(api);
        }
    }

    @Test
    void without_the_owner_the_start_says_who_can_migrate(CapturedOutput output) {
        serviceWithOwner().close();

        assertThatThrownBy(this::service);

        assertThat(output).contains("it belongs to the role " + roles.owner()).contains("that is spring.flyway.user");
    }

    @Test
    void without_a_migration_an_empty_database_ends_the_start(CapturedOutput output) {
        assertThatThrownBy(() -> service(WITHOUT_MIGRATION));

        assertThat(output).contains("The schema 'registrar' has no event store");
    }

    @Test
    void load_tests_clear_the_store_as_the_owner() {
        try (ConfigurableApplicationContext service = serviceWithOwner(LOAD_TESTS)) {
            Api api = api(service);
            api.course(1);

            api.post("/load-test/clear", "").expect(200);

            assertThat(api.get("/dcb/head").json().path("head").asLong()).isZero();
        }
    }

    @Test
    void load_tests_without_the_owner_end_the_start(CapturedOutput output) {
        serviceWithOwner().close();

        assertThatThrownBy(() -> service(WITHOUT_MIGRATION, LOAD_TESTS));

        assertThat(output)
                .contains("Only the owner of the schema 'registrar' can clear its store")
                .contains("spring.flyway.user");
    }

    @Test
    void a_password_of_the_owner_is_not_shown() {
        try (ConfigurableApplicationContext service = serviceWithOwner()) {
            String settings = "spring.flyway-dev.registrar.autoconfigure.MigrationSettings";

            assertThat(service.getBean(settings).toString())
                    .contains(roles.owner())
                    .doesNotContain("secret");
        }
    }
}

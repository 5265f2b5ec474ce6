package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.RegistrarApplication;
import dev.registrar.console.ConsoleClient;
import dev.registrar.eventstore.postgres.StoreDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A service that reads on a streaming standby, which is stopped or falls behind. */
@Tag("thorough")
class ReadReplicaTest {
    /** Of a look-up: no position is needed, so that the client of these tests does not send that of its last write. */
    private static final String[] ANY = {"Registrar-After", "0"};

    private static PrimaryAndStandby servers;
    private static ConfigurableApplicationContext service;
    private static int port;
    private static MeterRegistry meters;

    private final Api api = new Api(port);

    @BeforeAll
    static void start() throws IOException {
        servers = PrimaryAndStandby.start();
        service = new SpringApplicationBuilder(RegistrarApplication.class)
                .run(
                        "--server.port=0",
                        "--registrar.warm-up.enabled=false",
                        "--registrar.projections.longest-wait=30s",
                        "--spring.datasource.url=" + servers.primaryUrl(),
                        "--spring.datasource.username=postgres",
                        "--registrar.replica.url=" + servers.standbyUrl());
        port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        meters = service.getBean(MeterRegistry.class);
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        servers.close();
    }

    /* The standby has all that earlier tests have stored. */
    @BeforeEach
    void reachStandby() {
        String course = api.course(1);
        await().until(() -> isUsed() && find(course, ANY).status() == 200);
    }

    @AfterEach
    void resume() {
        servers.resumeReplay();
    }

    private static boolean isUsed() {
        return meters.get("registrar.replica.usable").gauge().value() == 1;
    }

    private static double readsBy(String server) {
        return meters.get("registrar.replica.reads")
                .tag("answered.by", server)
                .counter()
                .count();
    }

    private Answer find(String course, String... headers) {
        return api.get("/api/courses/" + course, headers);
    }

    private long defined(String course) {
        return api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 1}".formatted(course))
                .expect(201)
                .position();
    }

    @Test
    void a_lagging_replica_answers_only_look_ups_that_need_nothing_newer() {
        servers.pauseReplay();
        String course = Api.newId("course");
        long position = defined(course);

        assertThat(find(course, ANY).status()).isEqualTo(404);
        assertThat(find(course, "Registrar-After", Long.toString(position)).status())
                .isEqualTo(200);
        assertThat(api.get("/api/courses/%s?consistency=strong".formatted(course), ANY)
                        .status())
                .isEqualTo(200);
        assertThat(find(course, "Registrar-After", "999999").status()).isEqualTo(422);
        assertThat(find(course, ANY).status()).isEqualTo(404);
    }

    @Test
    void a_look_up_after_a_write_waits_for_the_replica() {
        await().untilAsserted(() -> {
            String course = Api.newId("course");
            long position = defined(course);
            double before = readsBy("replica");

            assertThat(find(course, "Registrar-After", Long.toString(position)).status())
                    .isEqualTo(200);
            // The primary answers if the replica does not get there at once.
            assertThat(readsBy("replica")).isGreaterThan(before);
        });
    }

    @Test
    void a_page_of_the_console_shows_its_command_although_the_replica_does_not() {
        servers.pauseReplay();
        String course = Api.newId("course");

        ConsoleClient.Page page = new ConsoleClient(port)
                .submit(
                        "/console/office/define",
                        "/console/office/define",
                        "id",
                        course,
                        "title",
                        "Old Norse",
                        "capacity",
                        "3");

        assertThat(page.expect(200).path()).isEqualTo("/console/office/courses/" + course);
        assertThat(page.text()).contains("Old Norse").doesNotContain("a view is behind");
    }

    @Test
    void a_listener_receives_each_event_once_although_the_replica_is_behind() {
        String course = Api.newId("course");
        long first = defined(course);
        await().until(() -> find(course, ANY).status() == 200);
        servers.pauseReplay();
        String path = "/api/courses/%s/events".formatted(course);
        long second = enroll(course);
        double before = readsBy("replica");

        try (LiveClient all = LiveClient.get(port, path, "Accept", "application/x-ndjson");
                LiveClient later = LiveClient.get(port, path + "?after=" + second, "Accept", "application/x-ndjson")) {
            assertThat(readsBy("replica")).isEqualTo(before + 1);
            all.awaitLines(2);
            long third = drop(course);

            assertThat(positions(all.awaitLines(3))).containsExactly(first, second, third);
            assertThat(positions(later.awaitLines(1))).containsExactly(third);
        }
    }

    private long enroll(String course) {
        return api.put("/api/courses/%s/students/%s".formatted(course, student(course)))
                .expect(201)
                .position();
    }

    private long drop(String course) {
        return api.delete("/api/courses/%s/students/ann-of-%s".formatted(course, course))
                .expect(204)
                .position();
    }

    private String student(String course) {
        String id = "ann-of-" + course;
        api.post(
                        "/api/students",
                        "{\"id\": \"%1$s\", \"name\": \"Ann\", \"email\": \"%1$s@example.org\"}".formatted(id))
                .expect(201);
        return id;
    }

    private static List<Long> positions(LiveClient client) {
        return client.dataLines().stream()
                .map(line -> Long.parseLong(line.replaceFirst(".*\"position\":(\\d+).*", "$1")))
                .toList();
    }

    /* Its parts are read one after the other, and none may be behind the one before it. */
    @Test
    void a_file_is_read_on_the_primary() {
        servers.pauseReplay();
        String course = Api.newId("course");
        find(course, "Registrar-After", Long.toString(defined(course))).expect(200);

        assertThat(api.get("/api/courses", "Accept", "text/csv", ANY[0], ANY[1])
                        .expect(200)
                        .text())
                .contains(course);
    }

    @Test
    void the_explorer_shows_what_the_replica_has_and_a_newer_event_by_its_position() {
        servers.pauseReplay();
        String course = Api.newId("course");
        long position = defined(course);
        ConsoleClient console = new ConsoleClient(port);

        assertThat(console.open("/console/events").expect(200).text())
                .contains("CourseDefined")
                .doesNotContain(course);
        assertThat(console.open("/console/events/" + position).expect(200).text())
                .contains(course);
        servers.resumeReplay();
        await().until(() -> console.open("/console/events").expect(200).text().contains(course));
    }

    @Test
    void without_its_replica_the_service_reads_the_primary() throws IOException {
        String known = Api.newId("course");
        defined(known);
        await().until(() -> find(known, ANY).status() == 200);
        servers.stopStandby();
        try {
            assertThat(find(known, ANY).status()).isEqualTo(200);
            String course = Api.newId("course");
            long position = defined(course);
            assertThat(find(course, "Registrar-After", Long.toString(position)).status())
                    .isEqualTo(200);
            await().until(() -> !isUsed());
            double before = readsBy("primary");
            assertThat(find(course, ANY).status()).isEqualTo(200);
            assertThat(readsBy("primary")).isEqualTo(before + 1);
        } finally {
            servers.startStandby();
        }
        await().until(ReadReplicaTest::isUsed);
    }

    @Test
    void a_replica_with_another_history_is_not_used() {
        String course = Api.newId("course");
        long position = defined(course);
        await().until(() -> find(course, ANY).status() == 200);
        servers.pauseReplay();

        servers.executeOnPrimary(StoreDatabase.replacement(position - 1, "Latin", "Greek"));

        await().until(() -> !isUsed());
        await().until(() -> find(course, ANY).json().path("title").asString().equals("Greek"));
        servers.resumeReplay();
        await().until(ReadReplicaTest::isUsed);
    }

    /* How often statements have read tables of the view courses; a session reports it with its later statements. */
    private static long lookedUp(JdbcClient server) {
        return server.sql("""
                        select sum(coalesce(idx_scan, 0) + seq_scan)
                        from pg_stat_user_tables
                        where schemaname like 'registrar_courses%'""").query(Long.class).single();
    }

    @Test
    void look_ups_do_not_reach_the_primary() {
        String course = Api.newId("course");
        defined(course);
        await().until(() -> find(course, ANY).status() == 200);
        long onPrimary = lookedUp(servers.onPrimary());
        long onStandby = lookedUp(servers.onStandby());

        await().until(() -> {
            IntStream.range(0, 100).forEach(i -> find(course, ANY).expect(200));
            return lookedUp(servers.onStandby()) > onStandby + 1_000;
        });
        // These are reported with those before them.
        await().until(() -> {
            api.get("/api/courses/%s?consistency=strong".formatted(course)).expect(200);
            return lookedUp(servers.onPrimary()) > onPrimary;
        });

        assertThat(lookedUp(servers.onPrimary())).isLessThan(onPrimary + 1_000);
    }
}

package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.testdatabase.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.Filter;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.coyote.http11.Http11NioProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;

/** How the service starts, warms up, survives the loss of its database and stops. */
@Tag("thorough")
@ExtendWith(OutputCaptureExtension.class)
class ServiceLifeTest {
    private TestDatabase database;
    private DatabaseProxy proxy;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
        proxy = DatabaseProxy.to(database.url());
    }

    @AfterEach
    void close() {
        proxy.close();
        database.close();
    }

    private ConfigurableApplicationContext service(String... settings) {
        return new SpringApplicationBuilder(RegistrarApplication.class).run(arguments(settings));
    }

    private String[] arguments(String... settings) {
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--spring.datasource.url=" + proxy.url(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password()));
        all.addAll(List.of(settings));
        return all.toArray(String[]::new);
    }

    private static Api api(ConfigurableApplicationContext service) {
        return new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @Test
    void a_warm_up_prepares_every_connection_and_leaves_no_event_behind(CapturedOutput output) throws SQLException {
        try (ConfigurableApplicationContext service =
                service("--registrar.warm-up.enabled=true", "--registrar.warm-up.at-most=10s")) {
            Api api = api(service);
            assertThat(output).contains("Warmed up in");
            assertThat(api.get("/actuator/health/readiness").status()).isEqualTo(200);
            assertThat(service.getBean(MeterRegistry.class)
                            .get("hikaricp.connections")
                            .tag("pool", "event-store")
                            .gauge()
                            .value())
                    .isEqualTo(16);
            assertThat(preparedOnEachConnection(service))
                    .hasSize(16)
                    .allSatisfy(statements -> assertThat(statements)
                            .contains(
                                    "given (request",
                                    "append_event(",
                                    "append_events(",
                                    "idempotency_keys",
                                    "'statement_timeout', $1"));
            assertThat(rows("registrar.events")).isZero();
            assertThat(rows("registrar.event_tags")).isZero();
            assertThat(rows("registrar.idempotency_keys")).isZero();

            assertThat(api.post("/api/courses", "{\"title\": \"Latin\", \"capacity\": 1}")
                            .header("Registrar-Position"))
                    .isEqualTo("1");
        }
    }

    private long rows(String table) {
        try (var connection = database.dataSource().getConnection();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(*) from " + table)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Test
    void the_start_waits_for_a_late_database(CapturedOutput output) throws Exception {
        proxy.refuse();
        try (ExecutorService starter = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ConfigurableApplicationContext> starting = starter.submit(() -> service());
            await().until(() -> output.getOut().contains("The database did not answer"));
            assertThat(starting).isNotDone();
            proxy.accept();

            try (ConfigurableApplicationContext service = starting.get()) {
                assertThat(api(service).course(1)).isNotEmpty();
            }
        }
    }

    @Test
    void an_absent_database_ends_the_start_with_one_message(CapturedOutput output) {
        proxy.refuse();

        assertThatThrownBy(() -> service("--spring.flyway.connect-retries=1"));

        assertThat(output).contains("The database did not answer").contains("spring.flyway.connect-retries");
    }

    @Test
    void too_many_connections_for_the_server_end_the_start_with_one_message(CapturedOutput output) {
        assertThatThrownBy(() -> service("--registrar.store.read-connections=900"));

        assertThat(output)
                .contains("This service may open 917 connections")
                .contains("4 for appends with resource locks")
                .contains("Raise max_connections");
    }

    @Test
    void a_store_of_another_development_version_ends_the_start_with_one_message(CapturedOutput output)
            throws SQLException {
        execute("create schema registrar; create table registrar.store (); create table registrar.events ()");

        assertThatThrownBy(() -> service());

        assertThat(output)
                .contains("The schema 'registrar' has the event store of another development version")
                .contains("before version 0.1.0 there is no upgrade")
                .contains("drop the schema")
                .contains("append them");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void a_service_recovers_from_a_lost_database_without_a_restart() {
        try (ConfigurableApplicationContext service = service()) {
            Api api = api(service);
            String course = api.course(10);
            String student = api.student();
            proxy.refuse();
            await().untilAsserted(() -> api.get("/api/courses/" + course).expectProblem(503, "database-unavailable"));
            api.enroll(student, course).expectProblem(503, "database-unavailable");
            assertThat(api.get("/actuator/health/readiness").status()).isEqualTo(200);

            proxy.accept();
            await().untilAsserted(() ->
                    assertThat(api.get("/api/courses/" + course).status()).isEqualTo(200));
            await().untilAsserted(() ->
                    assertThat(api.enroll(student, course).status()).isIn(200, 201));
        }
    }

    @Test
    void a_service_on_a_read_only_database_is_unhealthy() {
        try (ConfigurableApplicationContext service = service()) {
            Api api = api(service);
            String course = api.course(10);
            String student = api.student();
            database.setReadOnly(true);
            proxy.cut();
            await().untilAsserted(() -> api.enroll(student, course).expectProblem(503, "database-unavailable"));
            await().untilAsserted(() ->
                    assertThat(api.get("/actuator/health").status()).isEqualTo(503));
            await().untilAsserted(() -> assertThat(api.get("/actuator/health")
                            .json()
                            .at("/components/db/status")
                            .asString())
                    .isEqualTo("DOWN"));

            database.setReadOnly(false);
            await().untilAsserted(() ->
                    assertThat(api.enroll(student, course).status()).isIn(200, 201));
            await().untilAsserted(() ->
                    assertThat(api.get("/actuator/health").status()).isEqualTo(200));
        }
    }

    @Test
    void a_stop_under_load_answers_every_admitted_request_and_loses_no_event() throws Exception {
        AtomicInteger admitted = new AtomicInteger();
        ConfigurableApplicationContext service = serviceCounting(admitted);
        Api api = api(service);
        Queue<Answer> answers = new ConcurrentLinkedQueue<>();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            IntStream.range(0, 50).forEach(i -> all.add(clients.submit(() -> registerUntilRefused(api, answers))));
            await().until(() -> answers.size() > 200);

            service.close();
            for (Future<?> client : all) {
                client.get();
            }
        }

        assertThat(answers).allMatch(answer -> answer.status() == 201 || answer.status() == 503);
        assertThat(answers.stream().filter(answer -> !isUnread(answer))).hasSize(admitted.get());
        assertThat(rows("registrar.events"))
                .isEqualTo(answers.stream()
                        .filter(answer -> answer.status() == 201)
                        .count());
    }

    /* The server itself refuses a request that it no longer reads because it stops. No filter counts such a request. */
    private static boolean isUnread(Answer answer) {
        return answer.status() == 503 && answer.json().path("code").asString().equals("service-unavailable");
    }

    /* The interrupt ends the drain when the test has seen what it is about. */
    @Test
    void a_draining_service_is_not_ready_but_answers_and_closes_each_connection() throws InterruptedException {
        ConfigurableApplicationContext service = service("--registrar.http.drain=30s");
        Api api = api(service);
        assertThat(api.get("/dcb/head").expect(200).header("Connection")).isEmpty();
        Thread stop = Thread.ofPlatform().start(service::close);

        try {
            await().until(() -> api.get("/actuator/health/readiness").status() == 503);
            await().until(() ->
                    api.get("/dcb/head").expect(200).header("Connection").equals("close"));
            String student = Api.newId("student");
            api.post(
                            "/api/students",
                            "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"%s@example.org\"}"
                                    .formatted(student, student))
                    .expect(201);
        } finally {
            stop.interrupt();
            stop.join();
        }

        assertThat(service.isActive()).isFalse();
        assertThatThrownBy(() -> api.get("/dcb/head")).hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void a_stopping_server_answers_503_if_it_has_not_read_the_headers() {
        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(
                        RegistrarApplication.class, StoppingInsideRequest.class)
                .run(arguments("--registrar.http.retry-after=7s"))) {
            AvailabilityChangeEvent.publish(service, ReadinessState.REFUSING_TRAFFIC);

            Answer answer = api(service).get("/api/courses").expectProblem(503, "service-unavailable");

            assertThat(answer.header("Retry-After")).isEqualTo("7");
            assertThat(answer.json().path("instance").asString()).isEqualTo("/api/courses");
        }
    }

    /** Not annotated, so that only tests that name it use it. */
    static class StoppingInsideRequest {
        @Bean
        WebServerFactoryCustomizer<TomcatServletWebServerFactory> protocol() {
            return factory -> factory.setProtocol(StoppingInsideRequestProtocol.class.getName());
        }
    }

    /** Stops the server between the request line and the headers of its first request. */
    public static final class StoppingInsideRequestProtocol extends Http11NioProtocol {
        private static final int AFTER_THE_REQUEST_LINE = 2;
        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public boolean isPaused() {
            if (looks.incrementAndGet() == AFTER_THE_REQUEST_LINE) {
                getEndpoint().pause();
            }
            return super.isPaused();
        }
    }

    @Test
    void a_stop_does_not_wait_for_live_streams(CapturedOutput output) {
        ConfigurableApplicationContext service = service();
        int port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        List<LiveClient> clients = IntStream.range(0, 20)
                .mapToObj(i -> LiveClient.get(port, "/dcb/events"))
                .toList();

        service.close();

        assertThat(clients)
                .allSatisfy(client -> assertThat(client.awaitEnd().lines()).contains(": ended: closed"));
        assertThat(output).contains("Graceful shutdown complete").doesNotContain("Graceful shutdown aborted");
    }

    /* The first filter, so that it counts every admitted request. */
    private ConfigurableApplicationContext serviceCounting(AtomicInteger admitted) {
        FilterRegistrationBean<Filter> counting = new FilterRegistrationBean<>((request, response, chain) -> {
            admitted.incrementAndGet();
            chain.doFilter(request, response);
        });
        counting.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return new SpringApplicationBuilder(RegistrarApplication.class)
                .initializers(context -> ((GenericApplicationContext) context)
                        .registerBean("counting", FilterRegistrationBean.class, () -> counting))
                .run(arguments());
    }

    /* A closed connection is not an answer: the service did not admit that request. */
    private static void registerUntilRefused(Api api, Queue<Answer> answers) {
        try {
            while (true) {
                String id = Api.newId("student");
                answers.add(api.post(
                        "/api/students", "{\"name\": \"%s\", \"email\": \"%s@example.org\"}".formatted(id, id)));
            }
        } catch (UncheckedIOException closed) {
            // The service accepts no more connections.
        }
    }

    private static List<String> preparedOnEachConnection(ConfigurableApplicationContext service) throws SQLException {
        HikariDataSource pool = StoreDatabase.poolOf(service.getBean(PostgresEventStore.class));
        List<Connection> all = new ArrayList<>();
        List<String> prepared = new ArrayList<>();
        try {
            for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
                Connection connection = pool.getConnection();
                all.add(connection);
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(
                                "select string_agg(statement, E'\\n') from pg_prepared_statements")) {
                    row.next();
                    prepared.add(row.getString(1));
                }
            }
        } finally {
            for (Connection connection : all) {
                connection.close();
            }
        }
        return prepared;
    }
}

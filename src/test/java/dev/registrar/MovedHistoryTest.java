package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.application.TransferCommand;
import dev.registrar.testdatabase.TestDatabase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** A service on a history that the commands of the jar have moved: from a database of one role to one of two. */
@Tag("thorough")
@ExtendWith(OutputCaptureExtension.class)
class MovedHistoryTest {
    private TestDatabase from;
    private TwoRoles to;

    @BeforeEach
    void create() {
        from = TestDatabase.create();
        to = TwoRoles.create();
    }

    @AfterEach
    void drop() {
        from.close();
        to.close();
    }

    private String[] source(String... arguments) {
        return arguments(
                List.of(
                        "spring.datasource.url=" + from.url(),
                        "spring.datasource.username=" + from.username(),
                        "spring.datasource.password=" + from.password()),
                arguments);
    }

    private String[] target(String... arguments) {
        return arguments(
                Stream.concat(to.serviceSettings().stream(), to.ownerSettings().stream())
                        .toList(),
                arguments);
    }

    private static String[] arguments(List<String> settings, String... first) {
        List<String> all = new ArrayList<>(List.of(first));
        settings.forEach(setting -> all.add("--" + setting));
        return all.toArray(String[]::new);
    }

    private static ConfigurableApplicationContext start(String... settings) {
        return RegistrarApplication.application().run(settings);
    }

    private static Api api(ConfigurableApplicationContext service) {
        return new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @Test
    void views_and_decisions_are_those_before_the_move(@TempDir Path folder) {
        String file = folder.resolve("history.ndjson.zst").toString();
        String course;
        String ann;
        String bob;
        List<String> views;
        List<Answer> decisions;
        try (ConfigurableApplicationContext before = start(source("--server.port=0"))) {
            Api api = api(before);
            course = api.course(1);
            ann = api.student();
            bob = api.student();
            api.enroll(ann, course).expect(201);
            api.put("/api/courses/%s/waiting-list/%s".formatted(course, bob)).expect(201);
            views = views(api, course);
            decisions = decisions(api, course, bob);
        }

        assertThat(TransferCommand.run(source("export", file, "--keys"))).isZero();
        assertThat(TransferCommand.run(target("import", file))).isZero();
        assertThat(TransferCommand.run(target("import", file))).isZero();

        try (ConfigurableApplicationContext moved = start(target("--server.port=0"))) {
            Api api = api(moved);
            await().untilAsserted(() -> assertThat(views(api, course)).isEqualTo(views));
            assertThat(decisions(api, course, bob))
                    .map(Answer::text)
                    .isEqualTo(decisions.stream().map(Answer::text).toList());
            api.delete("/api/courses/%s/students/%s".formatted(course, ann)).expect(204);
            await().until(() ->
                    api.get("/api/courses/%s/students".formatted(course)).text().contains(bob));
        }
    }

    private static List<String> views(Api api, String course) {
        return Stream.of(
                        "/api/courses",
                        "/api/courses/%s/students".formatted(course),
                        "/api/courses/%s/waiting-list".formatted(course),
                        "/api/students",
                        "/dcb/read")
                .map(path -> api.get(path).expect(200).text())
                .toList();
    }

    private static List<Answer> decisions(Api api, String course, String student) {
        return List.of(
                api.enroll(student, course).expect(409),
                api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 1}".formatted(course))
                        .expect(409));
    }

    @Test
    void a_command_that_fails_says_why_and_changes_nothing(@TempDir Path folder, CapturedOutput output) {
        String file = folder.resolve("history.ndjson").toString();

        assertThat(TransferCommand.run(target("import", file))).isEqualTo(1);
        assertThat(output.getErr()).contains("The import failed. There is no file " + file);

        assertThat(TransferCommand.run("export")).isEqualTo(2);
        assertThat(TransferCommand.run("import", file, "--keys")).isEqualTo(2);
        assertThat(output.getErr()).contains("Usage: export <file> [--keys] [settings]");

        assertThat(TransferCommand.run(source("export", file))).isZero();
        assertThat(TransferCommand.run(source("export", file))).isEqualTo(1);
        assertThat(output.getErr()).contains("has a whole history of 0 events; name another file");
    }
}

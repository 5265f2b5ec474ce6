package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What else goes on during a fault: students get seats from a waiting list, a file of courses is imported, views are
 * rebuilt, and they meet an event that they have to skip. Each request is sent until it succeeds, to the services by
 * turns.
 */
final class Bystanders {
    private static final int WAITING = 12;
    private static final int FREED = 6;
    private static final int IMPORTED = 30;

    /** Without the tally, which would apply the events of all faults again and again. */
    private static final String REBUILT =
            "name=commands&name=courses&name=students&name=enrollments&name=waiting-lists";

    private final Services services;
    private final String name;
    private final WaitingLine line;
    private int turn;

    /** Lets students wait for the seats of a full course. */
    Bystanders(Services services, String name) {
        this.services = services;
        this.name = name;
        this.line = new WaitingLine(services, WAITING, FREED);
    }

    /** Begins all of it. */
    CompletableFuture<Void> begin() {
        return CompletableFuture.allOf(
                go(() -> until(200, () -> line.free(next()))),
                go(() -> until(200, () -> next().post("/api/admin/projections/rebuild?" + REBUILT, ""))),
                go(() -> until(
                        200,
                        () -> next().post(
                                        "/dcb/append",
                                        "{\"events\": {\"type\": \"StudentRegistered\", \"tags\": [\"student:%s\"], \"data\": \"{}\"}}"
                                                .formatted(name),
                                        "Idempotency-Key",
                                        "unreadable-" + name))),
                go(this::importCourses));
    }

    private static CompletableFuture<Void> go(Runnable work) {
        return CompletableFuture.runAsync(work, Thread::startVirtualThread);
    }

    private synchronized Api next() {
        return services.api(turn++ % 2);
    }

    private static Answer until(int status, Supplier<Answer> call) {
        return await().until(() -> answered(call), answer -> answer != null && answer.status() == status);
    }

    private static @Nullable Answer answered(Supplier<Answer> call) {
        try {
            return call.get();
        } catch (UncheckedIOException noAnswer) {
            return null;
        }
    }

    /* The report is in the memory of one service, and lost with it. A file that is sent again continues. */
    private void importCourses() {
        await().until(() -> {
            Api api = next();
            Answer begun = answered(() -> api.send(
                    "POST", "/api/courses/import", BodyPublishers.ofString(file()), "Content-Type", "text/csv"));
            if (begun == null || begun.status() != 202) {
                return false;
            }
            String state = await().until(
                            () -> state(api, begun.header("Location")),
                            said -> said.matches("FINISHED|REFUSED|STOPPED|none"));
            assertThat(state).isNotEqualTo("REFUSED");
            return state.equals("FINISHED");
        });
    }

    private static String state(Api api, String report) {
        Answer answer = answered(() -> api.get(report));
        return answer == null || answer.status() == 404
                ? "none"
                : answer.json().path("state").asString();
    }

    private String file() {
        StringBuilder file = new StringBuilder("id,title,capacity\n");
        imported().forEach(id -> file.append(id).append(",Imported,5\n"));
        return file.toString();
    }

    private List<String> imported() {
        return IntStream.range(0, IMPORTED)
                .mapToObj(i -> "%s-imported-%s".formatted(name, i))
                .toList();
    }

    /** Compares what came of it with what should. */
    void judge(History history) {
        line.judge();
        for (String id : imported()) {
            assertThat(history.log())
                    .filteredOn(event ->
                            event.type().equals("CourseDefined") && event.tags().contains("course:" + id))
                    .hasSize(1);
        }
    }
}

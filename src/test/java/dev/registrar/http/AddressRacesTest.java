package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Concurrent changes of e-mail addresses: in any order, no address has two students, and none is lost. */
@ServiceTest
class AddressRacesTest {
    private static final int STUDENTS = 5;

    private final Api api;

    AddressRacesTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    /*
     * Five students leave their addresses for those of each other, and for one that is free, all at the same time. In
     * the log each change leaves the address that its student has, and takes one that no student has. Afterwards each
     * address that the log says is free can be taken.
     */
    @RepeatedTest(3)
    void students_who_exchange_addresses_never_share_one() {
        List<String> students =
                Stream.generate(() -> Api.newId("student")).limit(STUDENTS).toList();
        students.forEach(
                student -> api.post("/api/students", """
                        {"id": "%1$s", "name": "Ann", "email": "%1$s@example.org"}""".formatted(student)).expect(201));
        List<String> addresses = Stream.concat(students.stream(), Stream.of(Api.newId("free")))
                .map("%s@example.org"::formatted)
                .toList();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (int round = 1; round <= 4; round++) {
            int next = round;
            IntStream.range(0, STUDENTS)
                    .forEach(i -> sent.add(
                            decided(students.get(i), addresses.get((i * next + STUDENTS) % addresses.size()))));
        }
        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();

        assertThat(answers).extracting(Answer::status).contains(200).isSubsetOf(200, 204, 409);
        Map<String, String> holders = new HashMap<>();
        Map<String, String> held = new HashMap<>();
        for (JsonNode event : events(students)) {
            String student = event.path("studentId").asString();
            String address = event.path("email").asString();
            String former = held.put(student, address);
            if (former != null) {
                assertThat(event.path("formerEmail").asString()).isEqualTo(former);
                assertThat(holders.remove(former)).isEqualTo(student);
            }
            assertThat(holders.put(address, student)).isNull();
        }
        addresses.stream()
                .filter(address -> !holders.containsKey(address))
                .forEach(free -> api.post("/api/students", "{\"name\": \"Bob\", \"email\": \"%s\"}".formatted(free))
                        .expect(201));
    }

    /* The answer to a change, which is sent again as long as the service is too busy to decide. */
    private CompletableFuture<Answer> decided(String student, String address) {
        return api.sending("PUT", "/api/students/%s/email".formatted(student), "{\"email\": \"%s\"}".formatted(address))
                .thenCompose(answer ->
                        answer.status() == 503 ? decided(student, address) : CompletableFuture.completedFuture(answer));
    }

    /* The registrations and the changes, in the order of the log. */
    private List<JsonNode> events(List<String> students) {
        String items = String.join(
                ", ",
                students.stream().map("{\"tags\": [\"student:%s\"]}"::formatted).toList());
        List<JsonNode> data = new ArrayList<>();
        api.post("/dcb/read", "{\"query\": {\"items\": [%s]}}".formatted(items))
                .expect(200)
                .json()
                .forEach(event ->
                        data.add(JsonMapper.shared().readTree(event.path("data").asString())));
        return data;
    }
}

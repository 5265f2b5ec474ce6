package dev.registrar.console.student;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.json.JsonMapper;

/** A running service with a student at a browser without scripts. */
abstract class StudentPagesFixture {
    private static final JsonMapper JSON = JsonMapper.shared();

    final Api api;
    final ConsoleClient client;
    /** The student of the client. */
    String chosen = "";

    private final int port;

    StudentPagesFixture(int port) {
        this.port = port;
        this.api = new Api(port);
        this.client = new ConsoleClient(port).after(api);
    }

    /** A browser whose person has chosen this student. */
    ConsoleClient browserOf(String student) {
        ConsoleClient browser = new ConsoleClient(port).after(api);
        choose(browser, student);
        return browser;
    }

    static Page choose(ConsoleClient browser, String student) {
        return browser.submit("/", "/console/role", "role", "student", "student", student)
                .expect(200);
    }

    /** Chooses a new student in the client, and returns the student's id. */
    String newStudent() {
        String student = api.student();
        api.get("/api/students/" + student).expect(200);
        choose(client, student);
        chosen = student;
        return student;
    }

    /** Defines a course and returns its id. */
    String course(String title, int capacity, String... more) {
        String id = Api.newId("course");
        StringBuilder json = new StringBuilder("{\"id\": \"%s\", \"title\": %s, \"capacity\": %s"
                .formatted(id, JSON.writeValueAsString(title), capacity));
        for (String member : more) {
            json.append(", ").append(member.replace('\'', '"'));
        }
        api.post("/api/courses", json.append('}').toString()).expect(201);
        return id;
    }

    /** Opens a page when the views contain what the API wrote. */
    Page open(String path) {
        return client.open(path);
    }

    /** Sends the form of a button on the page of a course, which may be an outdated page. */
    Page press(String button, String course) {
        String page = "/console/courses/" + course;
        open(page).expect(200);
        return client.submit("/", page + "/" + button, "page", "course", "shownFor", chosen)
                .expect(200);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}

package dev.registrar.console;

import dev.registrar.Api;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * Students and courses in each state that a page shows.
 *
 * @param student enrolled in one course, and waiting for another
 * @param course with free seats
 * @param full with a waiting list, and at the same time as the other course of its student
 * @param closed takes no more students
 * @param position of an event
 */
record ConsoleScene(String student, String course, String full, String closed, long position) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String ODD =
            "'\"><img src=no onerror=\"window.name='run'\"><script>window.name='run'</script>[[${7*7}]]"
                    + " \u2069\u202E\uD83D\uDE80 " + "W".repeat(90);

    static ConsoleScene of(Api api) {
        long first = api.get("/dcb/head").json().path("head").asLong() + 1;
        return of(api, "Linear algebra", "Ann Archer", first);
    }

    /** A scene whose texts try to become markup, to turn the text after them, and to widen the page. */
    static ConsoleScene hostile(Api api) {
        return of(api, ODD, ODD, append(api));
    }

    /* The position of an event whose parts are hostile. */
    private static long append(Api api) {
        String text = ODD.replace("\"", "\\\"") + "\\u2028";
        return api.post(
                        "/dcb/append",
                        "{\"events\": {\"type\": \"%1$s\", \"tags\": [\"%1$s\"], \"data\": \"{\\\"long\\\": \\\"%2$s\\\"}\"}}"
                                .formatted(
                                        text, text.replace("\\", "\\\\").replace("\"", "\\\"") + "x".repeat(100_000)))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    /**
     * @param title of each course
     * @param name of each student
     */
    static ConsoleScene of(Api api, String title, String name, long position) {
        String student = student(api, name);
        String other = student(api, name);
        ConsoleScene scene = new ConsoleScene(
                student, course(api, title, 3), course(api, title, 1), course(api, title, 2), position);
        api.enroll(student, scene.course).expect(201);
        api.enroll(other, scene.full).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(scene.full, student))
                .expect(201);
        api.enroll(other, scene.course).expect(201);
        for (String course : List.of(scene.course, scene.full)) {
            api.put(
                            "/api/courses/%s/times".formatted(course),
                            "{\"times\": [{\"day\": \"MONDAY\", \"from\": \"10:00\", \"to\": \"11:30\"}]}")
                    .expect(200);
        }
        api.post("/api/courses/%s/close".formatted(scene.closed), "").expect(200);
        awaitViews(api, student, scene.full);
        return scene;
    }

    private static String student(Api api, String name) {
        String id = Api.newId("student");
        api.post(
                        "/api/students",
                        "{\"id\": \"%1$s\", \"name\": %2$s, \"email\": \"%1$s@example.org\"}"
                                .formatted(id, JSON.writeValueAsString(name)))
                .expect(201);
        return id;
    }

    private static String course(Api api, String title, int capacity) {
        String id = Api.newId("course");
        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": %s, \"capacity\": %s}"
                                .formatted(id, JSON.writeValueAsString(title), capacity))
                .expect(201);
        return id;
    }

    /** Returns when the views of a student and of a course show all that this client has written. */
    static void awaitViews(Api api, String student, String course) {
        List.of(
                        "/api/courses?limit=1",
                        "/api/students?limit=1",
                        "/api/students/%s/courses".formatted(student),
                        "/api/students/%s/waiting-lists".formatted(student),
                        "/api/courses/%s/students".formatted(course))
                .forEach(path -> api.get(path).expect(200));
    }

    /** A path with the ids of this scene for its variables. */
    String path(String template) {
        return template.replace("{student}", student)
                .replace("{course}", course)
                .replace("{full}", full)
                .replace("{closed}", closed)
                .replace("{position}", Long.toString(position));
    }
}

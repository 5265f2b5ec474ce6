package dev.registrar.console;

import dev.registrar.Api;
import java.util.List;

/**
 * Students and courses in each state that a page shows.
 *
 * @param student enrolled in one course, and waiting for another
 * @param course with free seats
 * @param full with a waiting list
 * @param closed takes no more students
 */
record ConsoleScene(String student, String course, String full, String closed) {

    static ConsoleScene of(Api api) {
        String student = api.student();
        String other = api.student();
        ConsoleScene scene = new ConsoleScene(student, api.course(3), api.course(1), api.course(2));
        api.enroll(student, scene.course).expect(201);
        api.enroll(other, scene.full).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(scene.full, student))
                .expect(201);
        api.post("/api/courses/%s/close".formatted(scene.closed), "").expect(200);
        awaitViews(api, student, scene.full);
        return scene;
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
                .replace("{closed}", closed);
    }
}

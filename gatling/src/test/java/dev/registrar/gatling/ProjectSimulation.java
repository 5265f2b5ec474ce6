package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.projects;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;

import io.gatling.javaapi.core.ChainBuilder;
import java.util.List;

/** States folded by the service from the events of a small data set. */
public final class ProjectSimulation extends LoadSimulation {
    private static final int BEFORE = 30_500;

    private List<Enrolled> enrolled = List.of();

    {
        ChainBuilder usual = PROFILE.pauses(50);
        ChainBuilder large = PROFILE.pauses(100);
        run(
                uniformRandomSwitch()
                        .on(
                                projects("single", "\"defined\":1", s -> body(defined(one())))
                                        .exec(usual),
                                projects("several (2)", "\"registered\":true", s -> {
                                            Enrolled one = one();
                                            return body(defined(one), registered(one));
                                        })
                                        .exec(large),
                                projects("complex", "\"known\":2", s -> body(known(one())))
                                        .exec(large),
                                projects(
                                                "after a position",
                                                "\"states\":{\"courses\":0}",
                                                s -> "{\"after\": %s, %s"
                                                        .formatted(
                                                                BEFORE,
                                                                body(courses(one()))
                                                                        .substring(1)))
                                        .exec(usual),
                                projects("high frequency", "\"states\":{\"courses\":", s -> body(courses(one())))
                                        .exec(usual),
                                projects("complex, several (3)", "\"capacity\":100", s -> {
                                            Enrolled one = one();
                                            return body(capacity(one), courses(one), registered(one));
                                        })
                                        .exec(large)),
                () -> new Written().check(SERVICE, BEFORE));
    }

    private Enrolled one() {
        return Enrolled.oneOf(enrolled);
    }

    private static String body(String... projectors) {
        return "{\"projectors\": [%s]}".formatted(String.join(",", projectors));
    }

    private static String projector(String id, String kind, String query) {
        return "{\"id\": \"%s\", \"kind\": \"%s\", \"query\": %s}".formatted(id, kind, query);
    }

    private static String defined(Enrolled one) {
        return projector("defined", "count", query(item("CourseDefined", "course:" + one.course())));
    }

    private static String registered(Enrolled one) {
        return projector("registered", "exists", query(item("StudentRegistered", "student:" + one.student())));
    }

    private static String courses(Enrolled one) {
        return projector("courses", "count", query(item("StudentEnrolledInCourse", "student:" + one.student())));
    }

    private static String known(Enrolled one) {
        return projector(
                "known",
                "count",
                query(
                        item("CourseDefined", "course:" + one.course()),
                        item("StudentRegistered", "student:" + one.student())));
    }

    private static String capacity(Enrolled one) {
        return "{\"id\": \"capacity\", \"kind\": \"last\", \"field\": \"/capacity\", \"query\": %s}"
                .formatted(query(item("CourseDefined", "course:" + one.course())));
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
        enrolled = Enrolled.some(SERVICE);
    }
}

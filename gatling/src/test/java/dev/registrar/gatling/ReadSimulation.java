package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.query;
import static dev.registrar.gatling.Dcb.reads;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;

import io.gatling.javaapi.core.ChainBuilder;
import java.util.List;

/** Reads of a small data set, each of which finds events. */
public final class ReadSimulation extends LoadSimulation {
    private static final int BEFORE = 30_500;
    private static final List<String> STUDENTS_TYPES = List.of("StudentRegistered", "StudentEnrolledInCourse");
    private static final List<String> COURSES_TYPES = List.of("CourseDefined", "StudentEnrolledInCourse");

    private List<Enrolled> enrolled = List.of();

    {
        ChainBuilder usual = PROFILE.pauses(50);
        ChainBuilder quick = PROFILE.pauses(20);
        run(
                uniformRandomSwitch()
                        .on(
                                reads("simple", 1, s -> query(item("CourseDefined", course())), "{}")
                                        .exec(quick),
                                reads("several types", 2, s -> query(item(STUDENTS_TYPES, student())), "{}")
                                        .exec(quick),
                                reads("complex", 3, s -> complex(), "{}").exec(usual),
                                reads("high frequency", 2, s -> query(item(List.of(), student())), "{}")
                                        .exec(quick),
                                reads("a course's tag", 2, s -> query(item(List.of(), course())), "{}")
                                        .exec(quick),
                                reads("mixed", 2, s -> query(item(COURSES_TYPES, course())), "{\"limit\": 20}")
                                        .exec(usual),
                                reads(
                                                "everything, the last ten",
                                                10,
                                                s -> query(),
                                                "{\"backwards\": true, \"limit\": 10}")
                                        .exec(quick),
                                reads("a type with two tags", 1, s -> pair(), "{}")
                                        .exec(usual)),
                () -> new Written().check(SERVICE, BEFORE));
    }

    private String student() {
        return "student:" + Enrolled.oneOf(enrolled).student();
    }

    private String course() {
        return "course:" + Enrolled.oneOf(enrolled).course();
    }

    private String pair() {
        Enrolled one = Enrolled.oneOf(enrolled);
        return query(item("StudentEnrolledInCourse", "student:" + one.student(), "course:" + one.course()));
    }

    private String complex() {
        return query(item("CourseDefined", course()), item(STUDENTS_TYPES, student()));
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
        enrolled = Enrolled.some(SERVICE);
    }
}

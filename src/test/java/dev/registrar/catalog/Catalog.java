package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.projection.View;
import java.util.List;

/** The views of the service. */
public final class Catalog {
    private Catalog() {}

    public static List<View> views() {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        return List.of(
                new CoursesView(codec), new StudentsView(codec), new RostersView(codec), new WaitingListsView(codec));
    }
}

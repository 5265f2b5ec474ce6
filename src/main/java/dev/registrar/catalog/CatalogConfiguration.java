package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The views of the course office. */
@Configuration(proxyBeanMethods = false)
class CatalogConfiguration {

    @Bean
    CoursesView coursesView(EnrollmentEventCodec codec) {
        return new CoursesView(codec);
    }

    @Bean
    RostersView rostersView(EnrollmentEventCodec codec) {
        return new RostersView(codec);
    }

    @Bean
    StudentsView studentsView(EnrollmentEventCodec codec) {
        return new StudentsView(codec);
    }

    @Bean
    WaitingListsView waitingListsView(EnrollmentEventCodec codec) {
        return new WaitingListsView(codec);
    }

    @Bean
    Clashes clashes(CoursesView courses, RostersView rosters) {
        return new Clashes(courses, rosters, Clashes.BOUNDS, InstantSource.system());
    }

    @Bean
    CourseLimits courseLimits(RostersView rosters, StudentsView students, EnrollmentSettings settings) {
        return new CourseLimits(rosters, students, settings);
    }
}

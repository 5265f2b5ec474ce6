/**
 * Generated courses, students and enrollments, the same in every run, for tests and load tests; and what clears the
 * store before.
 */
@ApplicationModule(
        allowedDependencies = {
            "concurrent",
            "enrollment",
            "decision",
            "eventstore",
            "eventstore :: connection",
            "eventstore :: options",
            "eventstore :: postgres",
            "eventstore :: schema"
        })
@NullMarked
package dev.registrar.dataset;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

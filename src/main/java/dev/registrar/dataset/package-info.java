/** Made-up courses, students and enrollments, the same at every run, to try the service and to measure it on. */
@ApplicationModule(allowedDependencies = {"enrollment", "decision", "eventstore"})
@NullMarked
package dev.registrar.dataset;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

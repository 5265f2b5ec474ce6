/** The erasure of a student's personal data from the store's events. */
@ApplicationModule(allowedDependencies = {"enrollment", "eventstore"})
@NullMarked
package dev.registrar.erasure;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

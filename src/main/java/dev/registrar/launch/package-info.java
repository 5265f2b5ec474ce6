/** The start of the packaged service, on any Java that can run Spring Boot's loader. Compiled for Java 17. */
@NullMarked
@ApplicationModule(allowedDependencies = {})
package dev.registrar.launch;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;

/** Problem details, answer headers and strict parsing. Used by all of {@code http}. */
@NamedInterface("problem")
@NullMarked
package dev.registrar.http.problem;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

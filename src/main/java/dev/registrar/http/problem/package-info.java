/** Requests that cannot be handled, and how the answer says so. Used by all of {@code http}. */
@NullMarked
package dev.registrar.http.problem;

import org.jspecify.annotations.NullMarked;

/** The answers to requests that cannot be handled. Used by all of {@code http}. */
@NullMarked
package dev.registrar.http.problem;

import org.jspecify.annotations.NullMarked;

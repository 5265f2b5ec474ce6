/**
 * What an exception becomes at the edge: one problem for each, which the console shows as a page. It may use admission,
 * problem and the exceptions of the packages below, but no controller; Spring calls it when a controller or a filter
 * fails.
 */
@NamedInterface("failure")
@NullMarked
package dev.registrar.http.failure;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

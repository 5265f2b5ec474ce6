/** The entry point of the service. */
@NullMarked
package dev.registrar;

import org.jspecify.annotations.NullMarked;

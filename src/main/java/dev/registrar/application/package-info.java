/** Connects the library to the domain: wiring, the warm-up, and errors in settings. */
@NullMarked
package dev.registrar.application;

import org.jspecify.annotations.NullMarked;

/** The front page of the console, and the choice of a role in the mode {@code local}. */
@NullMarked
package dev.registrar.console.front;

import org.jspecify.annotations.NullMarked;

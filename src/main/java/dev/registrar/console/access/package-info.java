/** The page with the input of a form whose session had ended. */
@NullMarked
package dev.registrar.console.access;

import org.jspecify.annotations.NullMarked;

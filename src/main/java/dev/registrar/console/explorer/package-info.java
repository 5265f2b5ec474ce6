/** The event explorer and the condition lab: which events a query or an append condition matches. */
@NullMarked
package dev.registrar.console.explorer;

import org.jspecify.annotations.NullMarked;

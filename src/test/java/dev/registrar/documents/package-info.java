/** Checks of what the project says in its documents and its sources. */
@NullMarked
package dev.registrar.documents;

import org.jspecify.annotations.NullMarked;

/** How followers read the log: each by itself, or several together. */
@NullMarked
package dev.registrar.projection.log;

import org.jspecify.annotations.NullMarked;

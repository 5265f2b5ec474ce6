/** A second domain, built on the library alone: the lending desk that {@code docs/your-own-domain.md} shows. */
@NullMarked
package dev.registrar.examples.desk;

import org.jspecify.annotations.NullMarked;

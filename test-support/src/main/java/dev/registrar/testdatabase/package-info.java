/** A fresh PostgreSQL database for each test: of a given server, of a container, or of embedded binaries. */
@NullMarked
package dev.registrar.testdatabase;

import org.jspecify.annotations.NullMarked;

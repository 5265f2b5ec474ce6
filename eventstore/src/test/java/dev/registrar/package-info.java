/** What all tests of the library and of the service use. */
@NullMarked
package dev.registrar;

import org.jspecify.annotations.NullMarked;

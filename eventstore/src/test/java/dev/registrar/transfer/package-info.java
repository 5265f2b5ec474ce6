/** Tests of moved histories. */
@NullMarked
package dev.registrar.transfer;

import org.jspecify.annotations.NullMarked;

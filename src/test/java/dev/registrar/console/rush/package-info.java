@NullMarked
package dev.registrar.console.rush;

import org.jspecify.annotations.NullMarked;

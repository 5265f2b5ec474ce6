@NullMarked
package dev.registrar.console.office;

import org.jspecify.annotations.NullMarked;

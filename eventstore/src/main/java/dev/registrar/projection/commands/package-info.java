/** The view of the commands that were carried out, for any domain. */
@NamedInterface("commands")
@NullMarked
package dev.registrar.projection.commands;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

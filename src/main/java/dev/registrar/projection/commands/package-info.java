/** The view of the commands that were carried out, which each domain may use. */
@NamedInterface("commands")
@NullMarked
package dev.registrar.projection.commands;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/** The API of the event store itself, for clients of DCB stores. */
@NamedInterface("dcb")
@NullMarked
package dev.registrar.http.dcb;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/** The service's own addresses, and its requests to itself. */
@NamedInterface("address")
@NullMarked
package dev.registrar.http.address;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

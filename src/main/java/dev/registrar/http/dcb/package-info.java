/** The store's own API. */
@NamedInterface("dcb")
@NullMarked
package dev.registrar.http.dcb;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/** The store's own API. */
@NullMarked
package dev.registrar.http.dcb;

import org.jspecify.annotations.NullMarked;

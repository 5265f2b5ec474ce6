/**
 * The API's description in OpenAPI: springdoc makes it from the controllers at the first request, and this package adds
 * what operations share.
 */
@NullMarked
package dev.registrar.http.description;

import org.jspecify.annotations.NullMarked;

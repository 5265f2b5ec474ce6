/** How an issuer's tokens are checked, and where its public keys come from. Used by {@code security} only. */
@NullMarked
package dev.registrar.security.tokens;

import org.jspecify.annotations.NullMarked;

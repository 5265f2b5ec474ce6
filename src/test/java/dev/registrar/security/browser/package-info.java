/** Attacks by web pages, in a real browser: each succeeds without the service's protection and fails with it. */
@NullMarked
package dev.registrar.security.browser;

import org.jspecify.annotations.NullMarked;

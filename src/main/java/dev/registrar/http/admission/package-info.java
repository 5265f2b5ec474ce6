/** The filters that every request passes first: limits, time-outs, correlation, headers. */
@NullMarked
package dev.registrar.http.admission;

import org.jspecify.annotations.NullMarked;

/** The filters that every request passes first: limits, time-outs, correlation, headers. */
@NamedInterface("admission")
@NullMarked
package dev.registrar.http.admission;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

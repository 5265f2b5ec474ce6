/** Lists of the catalog as CSV files: for programs over the API, and for spreadsheets from the console. */
@NamedInterface("download")
@NullMarked
package dev.registrar.http.download;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;

/** The store beside other stores, with the same events and workloads: benchmarks/peers/run starts it. */
@NullMarked
package dev.registrar.benchmarks.peers;

import org.jspecify.annotations.NullMarked;

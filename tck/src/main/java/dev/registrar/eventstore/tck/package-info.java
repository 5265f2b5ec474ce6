/**
 * The conformance suite of the event store: tests that any {@link dev.registrar.eventstore.EventStore} runs.
 *
 * <p>A store's test class extends {@link dev.registrar.eventstore.tck.EventStoreContract} and opens empty stores for
 * it. A {@link dev.registrar.eventstore.ChainingEventStore} also implements
 * {@link dev.registrar.eventstore.tck.ChainContract}, an {@link dev.registrar.eventstore.AppendSource} also
 * {@link dev.registrar.eventstore.tck.AppendSourceContract}.
 */
@NullMarked
package dev.registrar.eventstore.tck;

import org.jspecify.annotations.NullMarked;

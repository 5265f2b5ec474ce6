package dev.registrar.eventstore;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The events of one read, fetched on demand in constant memory. The stream ends at the store's head at the time when
 * the stream was opened. It can be read once, by one thread at a time, and must be closed.
 */
public interface EventStream extends Iterator<SequencedEvent>, AutoCloseable {

    /** The store's head when the stream was opened, independent of the query. */
    Head head();

    @Override
    void close();

    /** The remaining events. Closing the result closes this stream. */
    default Stream<SequencedEvent> stream() {
        int characteristics = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.IMMUTABLE;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, characteristics), false)
                .onClose(this::close);
    }

    /** The remaining events, all in memory. */
    default List<SequencedEvent> toList() {
        return stream().toList();
    }
}

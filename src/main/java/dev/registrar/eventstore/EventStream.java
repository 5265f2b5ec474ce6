package dev.registrar.eventstore;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The events of one read, fetched on demand in constant memory. It ends at the head that the store had when the stream
 * was opened. It can be read once, by one thread at a time, and must be closed.
 */
public interface EventStream extends Iterator<SequencedEvent>, AutoCloseable {

    /** The end of the store when the stream was opened, whatever the query matched. */
    Head head();

    @Override
    void close();

    /** The events not read yet; closing the result closes this stream. */
    default Stream<SequencedEvent> stream() {
        int characteristics = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.IMMUTABLE;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, characteristics), false)
                .onClose(this::close);
    }

    /** The events not read yet, all in memory. */
    default List<SequencedEvent> toList() {
        return stream().toList();
    }
}

package dev.registrar.eventstore;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The events of one read, fetched as they are asked for, in constant memory. It ends at the head that it saw when it
 * was opened. It can be walked once, by one thread at a time, and is closed when done.
 */
public interface EventStream extends Iterator<SequencedEvent>, AutoCloseable {

    /** The end of the store when the stream was opened, whatever the query matched. */
    Head head();

    @Override
    void close();

    /** The events not walked yet; closing it closes this. */
    default Stream<SequencedEvent> stream() {
        int characteristics = Spliterator.ORDERED | Spliterator.DISTINCT | Spliterator.NONNULL | Spliterator.IMMUTABLE;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(this, characteristics), false)
                .onClose(this::close);
    }

    /** The events not walked yet, all in memory. */
    default List<SequencedEvent> toList() {
        return stream().toList();
    }
}

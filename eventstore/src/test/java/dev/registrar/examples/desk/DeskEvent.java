package dev.registrar.examples.desk;

import dev.registrar.decision.JsonEventCodec;
import dev.registrar.eventstore.Tag;
import java.util.List;

/** What happens at the lending desk of a library. */
sealed interface DeskEvent {
    JsonEventCodec<DeskEvent> CODEC = JsonEventCodec.of(DeskEvent.class, DeskEvent::tags)
            .formerly(BookLent.class, "BookIssued")
            .upcast(BookLent.class, 1, payload -> payload.put("days", 28));

    List<Tag> tags();

    /** What happens to a book. */
    sealed interface BookEvent extends DeskEvent {}

    /** A loan begins or ends. */
    sealed interface LoanEvent extends BookEvent {}

    record BookAdded(String book, String title) implements BookEvent {
        @Override
        public List<Tag> tags() {
            return List.of(Tag.of("book:" + book));
        }
    }

    record BookLent(String book, String reader, int days) implements LoanEvent {
        @Override
        public List<Tag> tags() {
            return List.of(Tag.of("book:" + book), Tag.of("reader:" + reader));
        }
    }

    record BookReturned(String book, String reader) implements LoanEvent {
        @Override
        public List<Tag> tags() {
            return List.of(Tag.of("book:" + book), Tag.of("reader:" + reader));
        }
    }

    record BookReserved(String book, String reader) implements BookEvent {
        @Override
        public List<Tag> tags() {
            return List.of(Tag.of("book:" + book), Tag.of("reader:" + reader));
        }
    }

    record ReaderVisited(String reader) implements DeskEvent {
        @Override
        public List<Tag> tags() {
            return List.of(Tag.of("reader:" + reader));
        }
    }
}

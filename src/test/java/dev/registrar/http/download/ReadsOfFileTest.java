package dev.registrar.http.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A view that is emptied while a file is made would end the file early. */
class ReadsOfFileTest {
    private static final UUID STORE = new UUID(0, 1);

    private final View rosters = new RostersView(new EnrollmentEventCodec());
    private final View students = new StudentsView(new EnrollmentEventCodec());

    @Test
    void a_view_that_follows_the_log_is_read_on() {
        ReadsOfFile reads = reads(at(5, STORE), at(5, STORE), at(9, STORE));

        assertThat(positions(reads, rosters, rosters, rosters)).containsExactly(5L, 5L, 9L);
    }

    @Test
    void each_view_has_its_own_position() {
        ReadsOfFile reads = reads(at(5, STORE), at(3, STORE), at(5, STORE), at(4, STORE));

        assertThat(positions(reads, rosters, students, rosters, students)).containsExactly(5L, 3L, 5L, 4L);
    }

    @Test
    void a_view_that_was_emptied_is_not_read_on() {
        ReadsOfFile reads = reads(at(5, STORE), at(6, STORE), at(5, STORE));
        positions(reads, rosters, rosters);

        assertThatThrownBy(() -> positions(reads, rosters))
                .hasMessage("The view 'enrollments' was at position 6 and is at 5 now, so it was reset or rebuilt");
    }

    @Test
    void a_view_of_another_history_is_not_read_on() {
        ReadsOfFile reads = reads(at(5, STORE), at(9, new UUID(0, 2)));
        positions(reads, rosters);

        assertThatThrownBy(() -> positions(reads, rosters)).hasMessageContaining("reset or rebuilt");
    }

    private static List<Long> positions(ReadsOfFile reads, View... views) {
        return List.of(views).stream()
                .map(view -> reads.read(view, tables -> "").position().value())
                .toList();
    }

    private static ViewAt<String> at(long position, UUID incarnation) {
        return new ViewAt<>("", Position.of(position), incarnation, true);
    }

    private static ReadsOfFile reads(ViewAt<?>... found) {
        Queue<ViewAt<?>> left = new ArrayDeque<>(List.of(found));
        return new ReadsOfFile(new CatalogFiles.Reads() {
            @Override
            @SuppressWarnings("unchecked") // the tests ask for texts
            public <T> ViewAt<T> read(View view, Function<Tables, T> query) {
                return (ViewAt<T>) left.remove();
            }

            @Override
            public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
                return read(view, tables -> query.apply((SearchedTables) tables));
            }

            @Override
            public CatalogFiles.Reads ofPrimary() {
                return this;
            }
        });
    }
}

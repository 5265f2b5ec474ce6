package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many pages that wait for one view. */
class ShownViewTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final List<Position> asked = new ArrayList<>();
    private Position reached = Position.of(5);
    private boolean isReachable = true;

    private Position answer(Position position) {
        asked.add(position);
        if (!isReachable) {
            throw new StoreUnavailableException("No database", null, FailureCategory.CONNECTION);
        }
        return reached;
    }

    @Test
    void positions_up_to_the_last_answer_are_not_asked_about_again() {
        ShownView view = new ShownView(this::answer, LONG);

        assertThat(view.isUpTo(Position.of(5))).isTrue();
        assertThat(view.isUpTo(Position.of(3))).isTrue();
        assertThat(asked).hasSize(1);

        reached = Position.of(6);
        assertThat(view.isUpTo(Position.of(6))).isTrue();
    }

    @Test
    void a_view_behind_is_asked_by_one_page_until_its_answer_expires() {
        ShownView view = new ShownView(this::answer, LONG);
        ShownView expiring = new ShownView(this::answer, Duration.ZERO);

        isReachable = false;
        assertThatThrownBy(() -> view.isUpTo(Position.of(5))).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> expiring.isUpTo(Position.of(5))).isInstanceOf(StoreUnavailableException.class);
        isReachable = true;
        asked.clear();

        assertThat(view.isUpTo(Position.of(5))).isFalse();
        assertThat(asked).isEmpty();
        assertThat(expiring.isUpTo(Position.of(5))).isTrue();
    }
}

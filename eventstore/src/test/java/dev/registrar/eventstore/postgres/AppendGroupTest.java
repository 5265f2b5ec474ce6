package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.GroupAppender.WaitingAppend;
import dev.registrar.eventstore.postgres.options.GroupOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which requests share a group. */
class AppendGroupTest {
    private final List<WaitingAppend> members = new ArrayList<>();
    private final AppendGroup group =
            new AppendGroup(new GroupOptions(10, 10, 1_000, 10, 1, 10, Duration.ofSeconds(5)), members);

    private static WaitingAppend holding(int resources) {
        List<String> names = IntStream.range(0, resources)
                .mapToObj(number -> "room:" + number)
                .toList();
        Append append =
                Append.of(Event.of("Booked", "{}", "desk:1")).holding(ResourceLocks.of(names, Duration.ofSeconds(5)));
        return new WaitingAppend(List.of(append), List.of(), 2, Duration.ofSeconds(5));
    }

    private Choice choose(WaitingAppend candidate) {
        Choice choice = group.choose(candidate);
        if (choice == Choice.TAKE) {
            members.add(candidate);
        }
        return choice;
    }

    /* Each lock takes memory of the server, which all its sessions share. */
    @Test
    void the_resource_locks_of_a_group_are_bounded() {
        assertThat(choose(holding(100))).isEqualTo(Choice.TAKE);
        assertThat(choose(holding(100))).isEqualTo(Choice.TAKE);
        assertThat(choose(holding(57))).isEqualTo(Choice.STOP);
    }
}

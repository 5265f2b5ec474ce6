package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.postgres.append.AppendAnswer.ResourceHeld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which requests share a group. */
class AppendGroupTest {
    private final List<WaitingAppend> members = new ArrayList<>();
    private AppendGroup group = new AppendGroup(GroupOptions.defaults(), members);

    private static WaitingAppend request(String tag) {
        return new WaitingAppend(
                List.of(Append.of(Event.of("Booked", "{}", tag))), List.of(), 2, Duration.ofSeconds(5));
    }

    private Choice choose(WaitingAppend candidate) {
        Choice choice = group.choose(candidate);
        if (choice == Choice.TAKE) {
            members.add(candidate);
        }
        return choice;
    }

    /*
     * A resource is held for long, and requests for it arrive all the time. A request that does not need it was in a
     * group with one that does, so nothing was appended. If the next one for the resource joined its next group, too,
     * the request would be sent again without an end.
     */
    @Test
    void a_request_sent_again_for_a_resource_of_others_is_grouped_with_no_new_one() {
        WaitingAppend needsResource = request("desk:1");
        WaitingAppend needsNone = request("desk:2");
        WaitingAppend needsNoneEither = request("desk:3");
        assertThat(choose(needsResource)).isEqualTo(Choice.TAKE);
        assertThat(choose(needsNone)).isEqualTo(Choice.TAKE);
        assertThat(choose(needsNoneEither)).isEqualTo(Choice.TAKE);

        List<WaitingAppend> again =
                group.answer(List.of(new ResourceHeld(true), new ResourceHeld(false), new ResourceHeld(false)));

        assertThat(again).containsExactly(needsNone, needsNoneEither);
        assertThat(needsResource.answers()).containsExactly(new ResourceHeld(true));

        again.forEach(WaitingAppend::leaveGroup);
        members.clear();
        group = new AppendGroup(GroupOptions.defaults(), members);
        assertThat(choose(needsNone)).isEqualTo(Choice.TAKE);
        assertThat(choose(needsNoneEither)).isEqualTo(Choice.TAKE);
        assertThat(choose(request("desk:4"))).isEqualTo(Choice.STOP);
    }
}

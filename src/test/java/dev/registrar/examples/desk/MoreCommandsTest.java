package dev.registrar.examples.desk;

import dev.registrar.decision.testkit.Scenario;
import dev.registrar.examples.desk.DeskEvent.ReaderVisited;
import org.junit.jupiter.api.Test;

class MoreCommandsTest {
    private final Scenario<DeskEvent> desk = Scenario.of(DeskEvent.CODEC);

    @Test
    void a_visit_is_recorded_whatever_happened_before() {
        desk.given(new ReaderVisited("ann")).when(new RecordVisit("ann")).thenAccepted(new ReaderVisited("ann"));
    }
}

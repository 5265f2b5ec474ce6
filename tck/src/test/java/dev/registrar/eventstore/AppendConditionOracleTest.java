package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.AppendConditionOracle.Report;
import dev.registrar.eventstore.AppendResult.Appended;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The oracle accepts the in-memory store and rejects faulty stores. */
class AppendConditionOracleTest {
    private static final int FEW_WRITERS = 16;

    @Test
    void the_store_in_memory_keeps_every_condition() {
        Report report = new AppendConditionOracle(List.of(new InMemoryEventStore())).run();

        report.assertSound();
        assertThat(report.appended()).as(report.toString()).isEqualTo(400);
        assertThat(report.conflicts()).as(report.toString()).isPositive();
    }

    /** Another writer appends between a writer's read and its unconditional append. */
    @Test
    void a_store_that_drops_conditions_is_caught() {
        Report report = oracle(new Flawed() {
            @Override
            public AppendResult append(Append request) {
                LockSupport.parkNanos(1_000_000);
                return super.append(request.onConditions(List.of()));
            }
        });

        assertThat(report.conflicts()).isZero();
        assertThat(report.violations()).anyMatch(violation -> violation.contains(" matches "));
        assertThatThrownBy(report::assertSound)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("-Dregistrar.oracle.seed=7: ");
    }

    /** Both writers check, then both append: the check and the append are not atomic. */
    @Test
    void a_store_that_checks_first_and_appends_later_is_caught() {
        Report report = oracle(new Flawed() {
            @Override
            public AppendResult append(Append request) {
                for (AppendCondition condition : request.conditions()) {
                    Query query = condition.failIfEventsMatch();
                    Optional<SequencedEvent> match =
                            read(
                                            query,
                                            ReadOptions.forwards()
                                                    .after(condition.after())
                                                    .limit(1))
                                    .stream()
                                    .findFirst();
                    if (match.isPresent()) {
                        return new AppendResult.Conflict(
                                query.items().getFirst(),
                                match.get().position(),
                                match.get().event().type());
                    }
                }
                LockSupport.parkNanos(1_000_000);
                return super.append(request.onConditions(List.of()));
            }
        });

        assertThat(report.violations()).anyMatch(violation -> violation.contains(" matches "));
    }

    /** The events are read first and the head afterwards, so that the head can be above events that were not read. */
    @Test
    void a_store_that_reads_events_and_head_apart_is_caught() {
        Report report = oracle(new Flawed() {
            @Override
            public Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
                Projected projected = super.project(states, progress);
                LockSupport.parkNanos(1_000_000);
                Head later = head();
                return new Projected(
                        projected.states().stream()
                                .<StateAt<?>>map(state -> state.at(later))
                                .toList(),
                        later,
                        projected.lastRead());
            }
        });

        assertThat(report.violations()).anyMatch(violation -> violation.contains(" saw "));
    }

    /**
     * All conditions of a request are checked after the highest of their positions, which misses events that an older
     * state lacks.
     */
    @Test
    @Tag("thorough")
    void a_store_that_judges_all_conditions_after_one_position_is_caught() {
        Report report = oracle(100, new Flawed() {
            @Override
            public AppendResult append(Append request) {
                Position highest = request.conditions().stream()
                        .map(AppendCondition::after)
                        .max(Comparator.comparingLong(Position::value))
                        .orElse(Position.START);
                return super.append(request.onConditions(request.conditions().stream()
                        .map(condition -> condition.after(highest))
                        .toList()));
            }
        });

        assertThat(report.violations()).anyMatch(violation -> violation.contains(" matches "));
    }

    /** Appends succeed, but store only the first event of a batch. */
    @Test
    void a_store_that_tears_appends_is_caught() {
        Report report = oracle(new Flawed() {
            @Override
            public AppendResult append(Append request) {
                AppendResult result = super.append(new Append(
                        request.events().subList(0, 1),
                        request.conditions(),
                        request.idempotencyKey(),
                        request.locks(),
                        request.actor()));
                return result instanceof Appended appended
                        ? new Appended(
                                appended.first(),
                                Position.of(appended.first().value()
                                        + request.events().size()
                                        - 1),
                                false)
                        : result;
            }
        });

        assertThat(report.violations()).anyMatch(violation -> violation.contains("is not followed by"));
    }

    private static Report oracle(EventStore flawed) {
        return oracle(10, flawed);
    }

    private static Report oracle(int batches, EventStore flawed) {
        return new AppendConditionOracle(List.of(flawed), FEW_WRITERS, batches, 7).run();
    }

    /** A sound store that tests override to break it. */
    private abstract static class Flawed extends ForwardingEventStore {
        private Flawed() {
            super(new InMemoryEventStore());
        }
    }
}

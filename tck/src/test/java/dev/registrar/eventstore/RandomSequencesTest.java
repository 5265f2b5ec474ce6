package dev.registrar.eventstore;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.RandomOperations.Operation;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.tck.Race;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of operations with hostile text: the caller of a store sees what the caller of a small model sees.
 * The system property {@code registrar.sequences.seed} sets the seed of the first sequence.
 */
class RandomSequencesTest {
    private static final String SEED = "registrar.sequences.seed";
    private static final int MANY = 10_000;

    /** A payload has at most 255 characters of 4 bytes, so that it has the limit of the other texts. */
    private static final StoreOptions OPTIONS = StoreDatabase.settings(Map.of("max-payload-bytes", 4 * 255));

    @Test
    void the_store_in_memory_agrees_with_the_model() {
        assertAgreement(100, List.of(RandomSequencesTest::inMemory));
    }

    @Test
    @Tag("thorough")
    void the_store_in_memory_agrees_with_the_model_in_many_sequences() {
        assertAgreement(MANY, List.of(RandomSequencesTest::inMemory));
    }

    @Test
    void the_postgresql_store_agrees_with_the_model() {
        assertAgreementInPostgresql(30, 1);
    }

    @Test
    @Tag("thorough")
    void the_postgresql_store_agrees_with_the_model_in_many_sequences() {
        assertAgreementInPostgresql(MANY / 4, 2);
    }

    /** Negative control: the store evaluates only the first item of each condition. */
    @Test
    void a_fault_of_conditions_is_found_and_shrunk_to_three_operations_at_most() {
        Failure failure = firstFailure(1, RandomSequencesTest::forgetful);

        assertThat(failure.shrunk().calls()).as(failure.toString()).hasSizeLessThanOrEqualTo(3);
        assertThat(failure.toString()).contains("The model: Conflict[", "The store: Appended[");
    }

    @Test
    void a_failure_while_shrinking_does_not_hide_the_difference() {
        Failure found = firstFailure(1, RandomSequencesTest::forgetful);
        Iterator<EventStore> onlyOne = List.of(forgetful()).iterator();

        assertThat(firstFailure(found.seed(), onlyOne::next).toString())
                .contains("-D" + SEED + "=" + found.seed(), "The model: ", "The store: ", "NoSuchElementException");
    }

    private static Failure firstFailure(long seed, Supplier<EventStore> stores) {
        return failures(seed, 1, MANY, stores).findFirst().orElseThrow();
    }

    private static EventStore inMemory() {
        return new InMemoryEventStore(OPTIONS.limits(), InstantSource.system(), Duration.ofDays(1));
    }

    private static EventStore forgetful() {
        return new ForwardingEventStore(inMemory()) {
            @Override
            public AppendResult append(Append request) {
                return super.append(request.onConditions(request.conditions().stream()
                        .map(condition -> new AppendCondition(
                                Query.of(condition.failIfEventsMatch().items().getFirst()),
                                condition.after(),
                                condition.basis()))
                        .toList()));
            }
        };
    }

    private static void assertAgreementInPostgresql(int sequences, int databases) {
        List<StoreDatabase> open = new ArrayList<>();
        try {
            List<Supplier<EventStore>> stores = new ArrayList<>();
            for (int i = 0; i < databases; i++) {
                StoreDatabase database = new StoreDatabase();
                open.add(database);
                EventStore store = database.newStore(InstantSource.system(), OPTIONS);
                stores.add(() -> {
                    database.clear();
                    return store;
                });
            }
            assertAgreement(sequences, stores);
        } finally {
            open.forEach(StoreDatabase::close);
        }
    }

    /** Carries out sequences, a part of them on each of the stores, which are empty when they are supplied. */
    private static void assertAgreement(int sequences, List<Supplier<EventStore>> stores) {
        long seed = Long.getLong(SEED, new SplittableRandom().nextLong());
        System.out.println("%s random sequences, -D%s=%s".formatted(sequences, SEED, seed));
        List<Optional<Failure>> failures = Race.run(
                stores.size(),
                racer -> failures(seed + racer, stores.size(), sequences / stores.size(), stores.get(racer))
                        .findFirst());
        failures.stream().flatMap(Optional::stream).findFirst().ifPresent(failure -> {
            throw new AssertionError(failure.toString());
        });
    }

    /** The sequences that fail; the seeds of all are a step apart. */
    private static Stream<Failure> failures(long seed, int step, int sequences, Supplier<EventStore> stores) {
        return LongStream.range(0, sequences)
                .map(number -> seed + number * step)
                .boxed()
                .flatMap(one -> {
                    List<List<Integer>> choices = choices(one);
                    Run run = run(stores.get(), choices);
                    return run.difference() == null ? Stream.empty() : Stream.of(shrunk(one, choices, run, stores));
                });
    }

    private static Failure shrunk(long seed, List<List<Integer>> choices, Run original, Supplier<EventStore> stores) {
        try {
            List<List<Integer>> fewer =
                    Shrinking.shrink(choices, some -> run(stores.get(), some).difference() != null);
            return new Failure(seed, original, run(stores.get(), fewer), null);
        } catch (RuntimeException | Error failure) {
            return new Failure(seed, original, original, failure);
        }
    }

    /** A sequence that fails, as it was and as it was shrunk, and why it could not be shrunk. */
    private record Failure(
            long seed, Run original, Run shrunk, @Nullable Throwable failure) {
        @Override
        public String toString() {
            return "-D%s=%s differs at operation %s.%n%s%n%s:%n%s%n%s"
                    .formatted(
                            SEED,
                            seed,
                            original.calls().size(),
                            original.difference(),
                            failure == null
                                    ? "Shrunk to %s operations"
                                            .formatted(shrunk.calls().size())
                                    : "Not shrunk, because of " + failure,
                            String.join(System.lineSeparator(), shrunk.calls()),
                            shrunk.difference());
        }
    }

    /** Random numbers for the texts and queries of a sequence, and for each of its 5 to 15 operations. */
    private static List<List<Integer>> choices(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, random.nextInt(6, 17))
                .mapToObj(operation ->
                        random.ints(200, 0, RandomOperations.BOUND).boxed().toList())
                .toList();
    }

    /** The calls up to the first difference between the model and the store; the difference is null for none. */
    private record Run(List<String> calls, @Nullable String difference) {}

    private static Run run(EventStore store, List<List<Integer>> choices) {
        RandomOperations operations = new RandomOperations(store, choices.getFirst());
        List<String> calls = new ArrayList<>();
        for (int i = 1; i <= choices.size(); i++) {
            Operation operation = i == choices.size() ? operations.readAll() : operations.next(choices.get(i));
            calls.add(ascii(operation.call()));
            Object model = outcome(operation.inModel());
            Object seen = outcome(operation.inStore());
            // Of an exception only the class counts: its message is for people.
            boolean isSame =
                    model instanceof EventStoreException ? seen.getClass() == model.getClass() : seen.equals(model);
            if (!isSame) {
                return new Run(calls, "The model: %s%nThe store: %s".formatted(ascii(model), ascii(seen)));
            }
        }
        return new Run(calls, null);
    }

    private static Object outcome(Supplier<Object> call) {
        try {
            return call.get();
        } catch (RuntimeException thrown) {
            return thrown;
        }
    }

    /* One line, in which all texts are visible. */
    private static String ascii(Object value) {
        return value.toString()
                .chars()
                .mapToObj(character -> character < ' ' || character > '~' || character == '\\'
                        ? "\\u" + HexFormat.of().toHexDigits((char) character)
                        : String.valueOf((char) character))
                .collect(joining());
    }
}

package dev.registrar.judges;

import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Command;
import dev.registrar.judges.History.Condition;
import dev.registrar.judges.History.Counting;
import dev.registrar.judges.History.HeadSeen;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One client: it calls its instance, one call after the other, and records each. */
final class Client {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final int number;
    private final Instance instance;
    private final Instance other;
    private final Workload load;
    private final SplittableRandom random;
    /** The head that this client saw last. */
    private long head;

    /** @param other to which repetitions are sent */
    Client(int number, Instance instance, Instance other, Workload load, long seed) {
        this.number = number;
        this.instance = instance;
        this.other = other;
        this.load = load;
        this.random = new SplittableRandom(seed + number);
    }

    /** Makes one to three calls. */
    void step() {
        try {
            if (head == 0) {
                // Otherwise it would read by type from the first event on.
                look();
            }
            if (!load.courses().isEmpty() && instance instanceof ServiceInstance service && random.nextInt(4) == 0) {
                command(service);
            } else {
                call(random.nextInt(100));
            }
        } catch (Instance.NoAnswerException down) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    private void call(int chosen) {
        if (chosen < 12) {
            append(load.events(random, random.nextInt(1, 4)), List.of(), null);
        } else if (chosen < 32) {
            extendLists();
        } else if (chosen < 50) {
            List<Item> items = load.items(random);
            Read read = read(items, 0);
            append(load.events(random, random.nextInt(1, 3)), Workload.unless(items, read.head()), read.invoked());
        } else if (chosen < 58) {
            claim();
        } else if (chosen < 63) {
            look();
            append(load.events(random, 1), Workload.unless(load.types(random), head), null);
        } else if (chosen < 67) {
            look();
            append(load.events(random, 1), Workload.unless(List.of(), head), null);
        } else if (chosen < 75) {
            repeat();
        } else if (chosen < 81) {
            chain();
        } else if (chosen < 90) {
            read(random.nextBoolean() ? load.items(random) : load.types(random), head);
        } else if (chosen < 95) {
            count();
        } else {
            look();
        }
    }

    /** Reads one or two lists, and extends all of them unless they have changed. */
    private void extendLists() {
        List<String> lists = load.lists(random);
        List<Item> items = Workload.tagged(lists);
        Read read = read(items, 0);
        if (random.nextInt(4) > 0) {
            append(load.event("-Listed", lists), Workload.unless(items, read.head()), read.invoked());
        }
    }

    private void claim() {
        String name = load.name();
        append(load.event("-Claimed", List.of(name)), Workload.unless(Workload.tagged(List.of(name)), 0), null);
    }

    /** Sends an append twice under its key, at the same time and to two instances. */
    private void repeat() {
        List<NewEvent> events = load.events(random, random.nextInt(1, 3));
        List<Condition> conditions =
                random.nextBoolean() ? List.of() : Workload.unless(load.items(random), Math.max(0, head - 5));
        List<Part> parts = List.of(Part.of(events, conditions));
        String key = "key-" + events.getFirst().id();
        CompletableFuture<Void> second =
                CompletableFuture.runAsync(() -> append(other, parts, key, null), Thread::startVirtualThread);
        append(instance, parts, key, null);
        second.join();
    }

    private void chain() {
        if (!(instance instanceof LibraryInstance)) {
            return;
        }
        List<Part> parts = new ArrayList<>();
        look();
        for (int i = random.nextInt(2, 5); i > 0; i--) {
            List<Condition> conditions = new ArrayList<>(Workload.unless(load.items(random), head));
            if (random.nextBoolean()) {
                conditions.addAll(Workload.unless(load.types(random), head));
            }
            parts.add(Part.of(load.events(random, random.nextInt(1, 3)), conditions));
        }
        append(instance, parts, null, null);
    }

    private void append(List<NewEvent> events, List<Condition> conditions, @Nullable Long decidedOn) {
        append(instance, List.of(Part.of(events, conditions)), null, decidedOn);
    }

    private List<Part> append(Instance to, List<Part> parts, @Nullable String key, @Nullable Long decidedOn) {
        long invoked = System.nanoTime();
        List<Part> answered = to.append(parts, key);
        Long returned =
                answered.stream().anyMatch(part -> part.outcome() == Outcome.UNKNOWN) ? null : System.nanoTime();
        load.recorder().add(Call.of(number, to.name(), invoked, returned, new Appending(key, decidedOn, answered)));
        if (answered.stream().anyMatch(part -> part.outcome() == Outcome.FAILED || part.outcome() == Outcome.UNKNOWN)) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        return answered;
    }

    private record Read(long invoked, long head) {}

    private Read read(List<Item> items, long after) {
        long invoked = System.nanoTime();
        Reading read = instance.read(items, after);
        load.recorder().add(Call.of(number, instance.name(), invoked, System.nanoTime(), read));
        head = read.head();
        return new Read(invoked, read.head());
    }

    private void count() {
        long invoked = System.nanoTime();
        Counting count = instance.count(load.items(random), Math.max(0, head - random.nextInt(100)));
        load.recorder().add(Call.of(number, instance.name(), invoked, System.nanoTime(), count));
        head = count.head();
    }

    private void look() {
        long invoked = System.nanoTime();
        HeadSeen seen = instance.head();
        load.recorder().add(Call.of(number, instance.name(), invoked, System.nanoTime(), seen));
        head = seen.head();
    }

    private void command(ServiceInstance service) {
        String course = load.courses().get(random.nextInt(load.courses().size()));
        String student = load.students().get(random.nextInt(load.students().size()));
        long invoked = System.nanoTime();
        Command command =
                service.command(random.nextInt(3) == 0 ? "DELETE" : "PUT", course, student, "client-" + number);
        Long returned = command.hasAnswer() ? System.nanoTime() : null;
        load.recorder().add(Call.of(number, instance.name(), invoked, returned, command));
        if (returned == null) {
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    /**
     * Appends events on no condition.
     *
     * @param key the idempotency key; null for none
     */
    Part append(List<NewEvent> events, @Nullable String key) {
        return append(instance, List.of(Part.of(events, List.of())), key, null).getFirst();
    }

    /**
     * Sends an append again, under its key.
     *
     * @return whether its outcome is known now
     */
    boolean settle(Appending append) {
        List<Part> answered = append(
                instance,
                append.parts().stream()
                        .map(part -> Part.of(part.events(), part.conditions()))
                        .toList(),
                append.key(),
                null);
        return answered.stream()
                .allMatch(part -> part.outcome() == Outcome.APPENDED || part.outcome() == Outcome.REFUSED);
    }
}

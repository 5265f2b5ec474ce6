package dev.registrar.judges;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a history in the form of Jepsen's, for Elle's model {@code list-append}: a tag is the key of a list, and the
 * number of an attempt to append is an element. What was read for a decision and what was appended are one transaction,
 * which is {@code ok} if it was stored, {@code fail} if its condition failed, and {@code info} if its outcome is
 * unknown. Conditions on types, on absent tags or on everything are not in it: Elle knows no predicates.
 *
 * @see <a href="https://github.com/ligurio/elle-cli">elle-cli, which reads these files</a>
 */
final class ElleHistory {
    private final Map<Long, NewEvent> sent = new HashMap<>();
    private final List<Operation> operations = new ArrayList<>();
    /** An unknown outcome ends a process. A thread's next process has this number of processes between them. */
    private final int clients;

    private final Map<String, Long> keys = new HashMap<>();

    /** @param time in nanoseconds; an unknown outcome is known to be so at the end */
    @JsonPropertyOrder({"index", "type", "process", "time", "f", "value"})
    record Operation(int index, String type, int process, long time, String f, List<MicroOperation> value) {
        private Operation at(int place) {
            return new Operation(place, type, process, time, f, value);
        }

        private String edn() {
            return "{:index %s :type :%s :process %s :time %s :f :%s :value [%s]}"
                    .formatted(
                            index,
                            type,
                            process,
                            time,
                            f,
                            value.stream().map(MicroOperation::edn).collect(joining(" ")));
        }
    }

    /**
     * A read or an append, written as an array.
     *
     * @param f {@code r} or {@code append}
     * @param value the elements read, null before they are known; the element appended
     */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"f", "key", "value"})
    record MicroOperation(String f, long key, @Nullable Object value) {
        private String edn() {
            return "[:%s %s %s]"
                    .formatted(
                            f,
                            key,
                            value instanceof List<?> list
                                    ? list.stream().map(String::valueOf).collect(joining(" ", "[", "]"))
                                    : value == null ? "nil" : value);
        }

        private MicroOperation invoked() {
            return f.equals("r") ? new MicroOperation(f, key, null) : this;
        }
    }

    private ElleHistory(History history) {
        clients = history.calls().stream().mapToInt(Call::client).max().orElse(0) + 1;
        Map<Integer, List<Call>> byClient = new HashMap<>();
        for (Call call : history.calls()) {
            byClient.computeIfAbsent(call.client(), absent -> new ArrayList<>()).add(call);
            if (call.append() != null) {
                call.append().parts().stream()
                        .flatMap(part -> part.events().stream())
                        .forEach(event -> sent.put(event.id().getLeastSignificantBits(), event));
            }
        }
        byClient.forEach((client, calls) -> {
            calls.sort(Comparator.comparingLong(Call::invoked));
            addAll(client, calls);
        });
    }

    /** The transactions of a history on lists, in the order of time. */
    static List<Operation> operations(History history) {
        List<Operation> sorted = new ArrayList<>(new ElleHistory(history).operations);
        sorted.sort(Comparator.comparingLong(Operation::time));
        List<Operation> numbered = new ArrayList<>();
        for (Operation operation : sorted) {
            numbered.add(operation.at(numbered.size()));
        }
        return numbered;
    }

    /** Writes {@code elle.json} and {@code elle.edn} into a folder. */
    static void write(History history, Path folder) throws IOException {
        JsonMapper json = JsonMapper.shared();
        List<Operation> operations = operations(history);
        Files.write(
                folder.resolve("elle.edn"),
                operations.stream().map(Operation::edn).toList());
        Files.writeString(
                folder.resolve("elle.json"),
                operations.stream().map(json::writeValueAsString).collect(joining(",\n", "[", "]\n")));
    }

    private void addAll(int client, List<Call> calls) {
        int process = client;
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            Call next = i + 1 < calls.size() ? calls.get(i + 1) : null;
            if (call.read() != null && isDecision(call, next)) {
                continue;
            }
            if (call.read() != null) {
                add(process, call.invoked(), call.returned(), "ok", reads(call.read()));
            } else if (call.append() != null) {
                Call read = i > 0 && isDecision(calls.get(i - 1), call) ? calls.get(i - 1) : null;
                process = addAppend(process, call, call.append(), read);
            }
        }
    }

    private static boolean isDecision(Call read, @Nullable Call append) {
        return append != null
                && append.append() != null
                && Objects.equals(append.append().decidedOn(), read.invoked());
    }

    private int addAppend(int process, Call call, Appending append, @Nullable Call read) {
        Part part = append.parts().getFirst();
        NewEvent event = part.events().getFirst();
        List<MicroOperation> appends = lists(event.tags())
                .map(key -> new MicroOperation(
                        "append", key, Workload.attempt(event.id().getLeastSignificantBits())))
                .toList();
        if (appends.isEmpty()) {
            return process;
        }
        Outcome outcome = Objects.requireNonNull(part.outcome());
        if (outcome == Outcome.APPENDED) {
            List<MicroOperation> all =
                    new ArrayList<>(read == null ? List.of() : reads(Objects.requireNonNull(read.read())));
            all.addAll(appends);
            add(process, read == null ? call.invoked() : read.invoked(), call.returned(), "ok", all);
            return process;
        }
        if (read != null) {
            add(process, read.invoked(), read.returned(), "ok", reads(Objects.requireNonNull(read.read())));
        }
        if (outcome == Outcome.UNKNOWN) {
            add(process, call.invoked(), Long.MAX_VALUE, "info", appends);
            return process + clients;
        }
        add(process, call.invoked(), call.returned(), "fail", appends);
        return process;
    }

    private static List<MicroOperation> invoked(List<MicroOperation> all) {
        return all.stream().map(MicroOperation::invoked).toList();
    }

    private void add(int process, long invoked, @Nullable Long returned, String type, List<MicroOperation> value) {
        if (!value.isEmpty()) {
            operations.add(new Operation(0, "invoke", process, invoked, "txn", invoked(value)));
            operations.add(new Operation(0, type, process, Objects.requireNonNull(returned), "txn", value));
        }
    }

    /** The lists that a read has read. An event that no client has sent is in all of them. */
    private List<MicroOperation> reads(Reading read) {
        return read.items().stream()
                .filter(item -> item.types().isEmpty() && item.tags().size() == 1)
                .flatMap(item -> lists(item.tags()))
                .map(key -> new MicroOperation("r", key, elements(read, key)))
                .toList();
    }

    private List<Long> elements(Reading read, long key) {
        return read.ids().stream()
                .filter(id ->
                        !sent.containsKey(id) || lists(sent.get(id).tags()).anyMatch(each -> each == key))
                .map(Workload::attempt)
                .toList();
    }

    private Stream<Long> lists(List<String> tags) {
        return tags.stream()
                .filter(tag -> tag.contains(Workload.LIST))
                .map(tag -> keys.computeIfAbsent(tag, absent -> (long) keys.size()));
    }
}

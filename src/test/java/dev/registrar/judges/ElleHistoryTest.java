package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The form that elle-cli reads: Jepsen's operations of the model {@code list-append}. */
class ElleHistoryTest {
    private static final String MICRO_OPERATION = "\\[:(r \\d+ (nil|\\[(\\d+( \\d+)*)?])|append \\d+ \\d+)]";
    private static final String LINE =
            "\\{:index \\d+ :type :(invoke|ok|fail|info) :process \\d+ :time \\d+ :f :txn :value \\[%s( %s)*]}"
                    .formatted(MICRO_OPERATION, MICRO_OPERATION);

    private static final Item LIST = new Item(List.of(), List.of("load-list:7"));

    @TempDir
    private Path folder;

    @Test
    void a_decision_is_a_transaction_of_reads_and_appends() throws IOException {
        ElleHistory.write(RecordedRound.in(folder), folder);

        JsonNode operations = JsonMapper.shared().readTree(folder.resolve("elle.json"));
        assertThat(operations.size()).isGreaterThan(50);
        Map<Integer, JsonNode> open = new HashMap<>();
        Map<Long, Integer> appended = new HashMap<>();
        Set<String> types = new HashSet<>();
        for (int index = 0; index < operations.size(); index++) {
            JsonNode operation = operations.get(index);
            assertThat(operation.path("index").asInt()).isEqualTo(index);
            assertThat(operation.path("f").asString()).isEqualTo("txn");
            String type = operation.path("type").asString();
            types.add(type);
            JsonNode invoked = type.equals("invoke")
                    ? open.put(operation.path("process").asInt(), operation)
                    : open.remove(operation.path("process").asInt());
            assertThat(invoked == null).isEqualTo(type.equals("invoke"));
            for (JsonNode micro : operation.path("value")) {
                if (micro.get(0).asString().equals("append") && type.equals("ok")) {
                    appended.put(micro.get(2).asLong(), index);
                } else if (micro.get(0).asString().equals("r")) {
                    assertThat(micro.get(2).isNull()).isEqualTo(!type.equals("ok"));
                    // In this history no call overlaps another: what is read was appended before.
                    micro.get(2).forEach(element -> assertThat(appended).containsKey(element.asLong()));
                }
            }
        }
        assertThat(types).contains("invoke", "ok");
        assertThat(open).isEmpty();
    }

    @Test
    void an_unknown_outcome_ends_its_process_and_a_refusal_keeps_its_read() throws IOException {
        History history = new History(
                0,
                List.of(
                        Call.of(0, "one", 1, 2, new Reading(List.of(LIST), 0, List.of(), List.of(), 0)),
                        Call.of(0, "one", 3, null, new Appending(null, 1L, List.of(part(1).with(Outcome.UNKNOWN)))),
                        Call.of(0, "one", 5, 6, new Reading(List.of(LIST), 0, List.of(1L), List.of(256L), 1)),
                        Call.of(0, "one", 7, 8L, new Appending(null, 5L, List.of(part(2).refusedBy(1))))),
                List.of());

        ElleHistory.write(history, folder);

        assertThat(Files.readAllLines(folder.resolve("elle.edn")))
                .containsExactly(
                        "{:index 0 :type :invoke :process 0 :time 1 :f :txn :value [[:r 0 nil]]}",
                        "{:index 1 :type :ok :process 0 :time 2 :f :txn :value [[:r 0 []]]}",
                        "{:index 2 :type :invoke :process 0 :time 3 :f :txn :value [[:append 0 1]]}",
                        "{:index 3 :type :invoke :process 1 :time 5 :f :txn :value [[:r 0 nil]]}",
                        "{:index 4 :type :ok :process 1 :time 6 :f :txn :value [[:r 0 [1]]]}",
                        "{:index 5 :type :invoke :process 1 :time 7 :f :txn :value [[:append 0 2]]}",
                        "{:index 6 :type :fail :process 1 :time 8 :f :txn :value [[:append 0 2]]}",
                        "{:index 7 :type :info :process 0 :time %s :f :txn :value [[:append 0 1]]}"
                                .formatted(Long.MAX_VALUE));
    }

    private static Part part(long attempt) {
        return Part.of(List.of(new NewEvent(new UUID(0, attempt * 256), "Listed", LIST.tags())), List.of());
    }

    @Test
    void both_files_have_the_same_operations() throws IOException {
        ElleHistory.write(RecordedRound.in(folder), folder);

        List<String> edn = Files.readAllLines(folder.resolve("elle.edn"));
        assertThat(edn).allMatch(line -> line.matches(LINE));
        assertThat(edn)
                .hasSize(JsonMapper.shared()
                        .readTree(folder.resolve("elle.json"))
                        .size());
    }
}

package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.Tag;
import dev.registrar.http.HostileValues;
import dev.registrar.security.AccessMode;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Commands to copy mean the query of the page, whatever characters its types and tags have. */
class SnippetsTest {
    private static final String BASE = "http://localhost:8080";
    private static final int QUERIES = 12;

    @Test
    void a_read_is_written_as_a_command_line() {
        Snippets read = new Snippets(
                Query.of(QueryItem.types("CourseDefined").tagged("course:c1"), QueryItem.tags("it's")),
                120L,
                Direction.BACKWARDS,
                50);

        assertThat(read.curl(BASE, AccessMode.TOKENS)).isEqualTo("""
                curl -s 'http://localhost:8080/dcb/read' -H 'Content-Type: application/json' \\
                  -H "Authorization: Bearer $TOKEN" \\
                  -d '{"query":{"items":[{"types":["CourseDefined"],"tags":["course:c1"]},{"tags":["it'\\''s"]}]},\
                "options":{"from":120,"backwards":true,"limit":50}}'""");
    }

    @Test
    void a_command_line_has_what_the_service_asks_for() {
        Snippets read = new Snippets(Query.all(), null, Direction.FORWARDS, 50);

        assertThat(read.curl(BASE, AccessMode.TOKENS)).contains("-H \"Authorization: Bearer $TOKEN\"");
        assertThat(read.curl(BASE, AccessMode.DEMO))
                .contains("-u auditor:PASSWORD")
                .doesNotContain("TOKEN");
        assertThat(read.curl(BASE, AccessMode.LOCAL)).doesNotContain("TOKEN", "PASSWORD");
    }

    @Test
    void a_read_is_written_in_java() {
        Snippets read = new Snippets(
                Query.of(QueryItem.types("CourseDefined").tagged("course:c1"), QueryItem.tags("a\"\n")),
                120L,
                Direction.BACKWARDS,
                50);

        assertThat(read.java()).isEqualTo("""
                try (EventStream events = store.read(
                        Query.of(
                                QueryItem.types("CourseDefined").tagged("course:c1"),
                                QueryItem.tags("a\\"\\n")),
                        ReadOptions.backwards().from(Position.of(120L)).limit(50))) {
                    events.stream().forEach(System.out::println);
                }""");
    }

    @Test
    void a_shell_takes_hostile_queries_as_they_are() throws IOException, InterruptedException {
        List<Query> queries = hostileQueries();
        StringBuilder commands = new StringBuilder();
        queries.forEach(
                query -> commands.append(new Snippets(query, null, Direction.FORWARDS, 50).curl(BASE, AccessMode.LOCAL))
                        .append('\n'));

        List<String> arguments = argumentsOf(commands.toString());

        assertThat(arguments).hasSize(6 * queries.size());
        for (int i = 0; i < queries.size(); i++) {
            List<String> ofOne = arguments.subList(6 * i, 6 * i + 6);
            assertThat(ofOne).startsWith("-s", BASE + "/dcb/read", "-H", "Content-Type: application/json", "-d");
            assertThat(queryOf(ofOne.getLast())).isEqualTo(queries.get(i));
        }
    }

    /* A function in place of curl writes its arguments, with a zero character after each. */
    private static List<String> argumentsOf(String commands) throws IOException, InterruptedException {
        Process shell = new ProcessBuilder("sh", "-c", "curl() { printf '%s\\0' \"$@\"; }\n" + commands)
                .redirectErrorStream(true)
                .start();
        String output = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(output).isZero();
        return List.of(output.substring(0, output.length() - 1).split("\0", -1));
    }

    private static Query queryOf(String body) {
        List<QueryItem> items = new ArrayList<>();
        for (JsonNode item : JsonMapper.shared().readTree(body).at("/query/items")) {
            items.add(QueryItem.of(
                    texts(item.path("types")),
                    texts(item.path("tags")).stream().map(Tag::new).toList()));
        }
        return items.isEmpty() ? Query.all() : new Query(items);
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asString()));
        return texts;
    }

    @Test
    void the_java_compiler_takes_hostile_queries_as_they_are(@TempDir Path folder)
            throws IOException, ReflectiveOperationException {
        List<Query> queries = hostileQueries();
        StringBuilder methods = new StringBuilder();
        for (int i = 0; i < queries.size(); i++) {
            String java = new Snippets(queries.get(i), 1L, Direction.FORWARDS, 3).java();
            methods.append("    public static void read%s(EventStore store) {\n%s\n    }\n".formatted(i, java));
        }
        Class<?> compiled = compile(folder, methods.toString());

        for (int i = 0; i < queries.size(); i++) {
            List<Query> read = new ArrayList<>();
            call(compiled, "read" + i, read);
            assertThat(read).containsExactly(queries.get(i));
        }
    }

    private static Class<?> compile(Path folder, String methods) throws IOException, ClassNotFoundException {
        Path source = folder.resolve("Copied.java");
        Files.writeString(
                source, "import dev.registrar.eventstore.*;\npublic class Copied {\n%s}\n".formatted(methods));
        int failed = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-nowarn",
                        "-cp",
                        Path.of(EventStore.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .getPath())
                                .toString(),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(failed).isZero();
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, EventStore.class.getClassLoader())
                .loadClass("Copied");
    }

    private static void call(Class<?> compiled, String method, List<Query> read) throws ReflectiveOperationException {
        InMemoryEventStore events = new InMemoryEventStore();
        events.append(List.of(Event.of("Any", "{}")));
        EventStore store = (EventStore) Proxy.newProxyInstance(
                EventStore.class.getClassLoader(), new Class<?>[] {EventStore.class}, (proxy, called, arguments) -> {
                    assertThat(called.getName()).isEqualTo("read");
                    read.add((Query) arguments[0]);
                    return events.read(Query.all(), (ReadOptions) arguments[1]);
                });
        compiled.getMethod(method, EventStore.class).invoke(null, store);
    }

    /* What cannot be stored cannot be in a query either. */
    private static List<Query> hostileQueries() {
        HostileValues values = new HostileValues(new SplittableRandom(7));
        List<Query> queries = new ArrayList<>(List.of(
                Query.all(),
                Query.of(QueryItem.any(), QueryItem.tags("a")),
                Query.of(QueryItem.tags(
                        "'; rm -rf / #", "$(id)", "`id`", "!!", "\\", "\\'", "%s", "\\u0022 + \\u000a", "*/"))));
        while (queries.size() < QUERIES) {
            Query query = Query.of(
                    QueryItem.types(storable(values)).tagged(storable(values), storable(values)),
                    QueryItem.tags(storable(values)));
            queries.add(query);
        }
        return queries;
    }

    private static String storable(HostileValues values) {
        while (true) {
            String text = values.text();
            String stored = new String(text.replace("\0", "").getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
            if (!stored.isEmpty()) {
                return stored;
            }
        }
    }
}

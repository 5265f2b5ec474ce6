package dev.registrar.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Extracts the metadata of the starter's settings, those that classes of this package bind, from that of the service.
 * The build runs this program.
 */
final class StarterMetadata {
    static final String FILE = "META-INF/spring-configuration-metadata.json";

    private static final String OURS = StarterMetadata.class.getPackageName() + ".";

    private StarterMetadata() {}

    /**
     * Writes the starter's metadata.
     *
     * @param arguments the folder of the service's classes and that of the starter's
     */
    public static void main(String[] arguments) throws IOException {
        JsonNode all = JsonMapper.shared().readTree(Path.of(arguments[0], FILE));
        Path starter = Path.of(arguments[1], FILE);
        Files.createDirectories(starter.getParent());
        Files.write(starter, JsonMapper.shared().writeValueAsBytes(cut((ObjectNode) all)));
    }

    /** The groups and properties of this package, and the hints for these. */
    static ObjectNode cut(ObjectNode all) {
        ObjectNode ours = all.deepCopy();
        for (String kind : List.of("groups", "properties")) {
            keep(ours, kind, each -> each.path("sourceType").asString("").startsWith(OURS));
        }
        Set<String> names = ours.path("properties")
                .valueStream()
                .map((JsonNode property) -> property.path("name").asString())
                .collect(Collectors.toSet());
        if (names.isEmpty()) {
            throw new IllegalArgumentException("No property has a source type that begins with " + OURS);
        }
        keep(ours, "hints", each -> names.contains(each.path("name").asString()));
        ours.remove("ignored");
        return ours;
    }

    private static void keep(ObjectNode metadata, String kind, Predicate<JsonNode> wanted) {
        if (metadata.path(kind) instanceof ArrayNode entries) {
            for (Iterator<JsonNode> each = entries.iterator(); each.hasNext(); ) {
                if (!wanted.test(each.next())) {
                    each.remove();
                }
            }
        }
    }
}

package dev.registrar;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.FileSystemResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code docs/configuration.md}. Its prose is written by hand. Its lists of settings stand between two comments, of
 * which the first names the settings: each by its full name, or all below a prefix that no other list names more
 * exactly.
 */
final class SettingsPage {
    static final Path FILE = Path.of("docs/configuration.md");

    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final Pattern TABLE =
            Pattern.compile("(<!-- settings\\s(.+?) -->\n).*?(<!-- /settings -->)", Pattern.DOTALL);

    private final String page;
    private final List<String> selectors;
    private final Map<String, JsonNode> settings = new TreeMap<>();
    private final SettingBounds bounds;
    private final PropertySource<?> ownDefaults;

    private SettingsPage() throws IOException {
        this.page = Files.readString(FILE);
        this.selectors = TABLE.matcher(page)
                .results()
                .flatMap(table -> selectors(table.group(2)).stream())
                .toList();
        List<Class<?>> records = new ArrayList<>();
        for (URL file : Collections.list(SettingsPage.class.getClassLoader().getResources(METADATA))) {
            try (InputStream content = file.openStream()) {
                JsonNode metadata = JsonMapper.shared().readTree(content);
                metadata.path("properties")
                        .forEach(setting -> settings.merge(
                                setting.path("name").asString(), setting, (one, other) -> isOurs(one) ? one : other));
                metadata.path("groups").forEach(group -> records.addAll(recordOf(group)));
            }
        }
        this.bounds = new SettingBounds(records.stream().distinct().toList());
        this.ownDefaults = new YamlPropertySourceLoader()
                .load("defaults", new FileSystemResource("src/main/resources/application.yaml"))
                .getFirst();
    }

    /** The page and the metadata as they are. */
    static SettingsPage read() throws IOException {
        return new SettingsPage();
    }

    String text() {
        return page;
    }

    /** The page with the lists that the settings say. */
    String withTables() {
        return TABLE.matcher(page)
                .replaceAll(table ->
                        Matcher.quoteReplacement(table.group(1) + table(selectors(table.group(2))) + table.group(3)));
    }

    /** The names of our own settings, in alphabetical order. */
    List<String> ours() {
        return settings.entrySet().stream()
                .filter(setting -> isOurs(setting.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Our own settings that no table of the page has. */
    List<String> missing() {
        return ours().stream().filter(name -> selector(name).isEmpty()).toList();
    }

    /** What the tables of the page name although no setting has that name or prefix. */
    List<String> unknown() {
        return selectors.stream()
                .filter(selector -> settings.keySet().stream()
                        .noneMatch(name -> selector(name).equals(Optional.of(selector))))
                .toList();
    }

    JsonNode metadata(String name) {
        return Optional.ofNullable(settings.get(name)).orElseThrow();
    }

    String bounds(String name) {
        JsonNode setting = metadata(name);
        return bounds.of(
                name,
                setting.path("type").asString(""),
                setting.path("defaultValue").asString(""));
    }

    private String table(List<String> those) {
        StringBuilder table = new StringBuilder("\n```yaml\n");
        settings.keySet().stream()
                .filter(name -> selector(name).filter(those::contains).isPresent())
                .forEach(name -> table.append(row(name)));
        return table.append("```\n\n").toString();
    }

    private String row(String name) {
        JsonNode setting = metadata(name);
        Object ownDefault = ownDefaults.getProperty(name);
        String value = ownDefault == null ? setting.path("defaultValue").asString("") : ownDefault.toString();
        String bounds = bounds(name).replace("`", "");
        value = value.endsWith(":") ? "'%s'".formatted(value) : value;
        return "%s:%s%s\n".formatted(name, value.isEmpty() ? "" : " " + value, bounds.isEmpty() ? "" : " # " + bounds);
    }

    private Optional<String> selector(String name) {
        return selectors.stream()
                .filter(selector -> selector.endsWith(".*")
                        ? name.startsWith(selector.substring(0, selector.length() - 1))
                        : name.equals(selector))
                .max(Comparator.comparingInt(String::length));
    }

    private static List<String> selectors(String text) {
        return Arrays.asList(text.strip().split("\\s+"));
    }

    private static boolean isOurs(JsonNode setting) {
        return setting.path("sourceType").asString("").startsWith("dev.registrar.");
    }

    private static List<Class<?>> recordOf(JsonNode group) {
        String type = group.path("type").asString("");
        try {
            Class<?> found = type.startsWith("dev.registrar.") ? Class.forName(type) : Object.class;
            return found.isAnnotationPresent(ConfigurationProperties.class) ? List.of(found) : List.of();
        } catch (ClassNotFoundException failure) {
            throw new IllegalStateException(failure);
        }
    }
}

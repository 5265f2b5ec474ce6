package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an editor knows of the settings is what the README tells of them. */
class SettingsMetadataTest {
    private static final Pattern NAME = Pattern.compile("`([a-z0-9.-]+)`");

    @Test
    void every_setting_of_the_readme_has_metadata_and_every_one_of_ours_stands_there() throws IOException {
        Set<String> told = settingsOfReadme();
        Set<String> known = settingsOfMetadata();

        assertThat(told).hasSizeGreaterThan(50);
        assertThat(known).containsAll(told);
        assertThat(told)
                .containsAll(known.stream()
                        .filter(name -> name.startsWith("registrar."))
                        .toList());
    }

    /* In the table's first column; what begins with a dot stands for the name before it with another end. */
    private static Set<String> settingsOfReadme() throws IOException {
        Set<String> names = new TreeSet<>();
        String table = Files.readString(Path.of("README.md"))
                .split("## Configuration", 2)[1]
                .split("\n## ", 2)[0];
        for (String row : table.lines().filter(line -> line.startsWith("| `")).toList()) {
            String before = "";
            for (MatchResult name :
                    NAME.matcher(row.split("\\|", 3)[1]).results().toList()) {
                String given = name.group(1);
                before = given.startsWith(".") ? before.substring(0, before.lastIndexOf('.')) + given : given;
                names.add(before);
            }
        }
        return names;
    }

    private static Set<String> settingsOfMetadata() throws IOException {
        Set<String> names = new TreeSet<>();
        for (URL file : Collections.list(SettingsMetadataTest.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
            try (InputStream metadata = file.openStream()) {
                names.addAll(JsonMapper.shared()
                        .readTree(metadata)
                        .path("properties")
                        .valueStream()
                        .map((JsonNode property) -> property.path("name").asString())
                        .collect(Collectors.toSet()));
            }
        }
        return names;
    }
}

package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/configuration.md has each setting with its default and its bounds, and the metadata what it does. */
@Tag("documents")
class SettingsMetadataTest {
    private final SettingsPage page = SettingsPage.read();

    SettingsMetadataTest() throws IOException {}

    @Test
    void the_page_has_the_defaults_and_the_bounds_of_the_settings() throws IOException {
        String text = page.withTables();
        Path written = Path.of("target", "configuration.md");
        Files.writeString(written, text);

        assertThat(page.text().equals(text))
                .as("%s differs from the settings; review and commit: cp %s docs/", SettingsPage.FILE, written)
                .isTrue();
    }

    @Test
    void each_of_our_settings_is_on_the_page() {
        assertThat(page.ours()).hasSizeGreaterThan(80);
        assertThat(page.missing()).isEmpty();
        assertThat(page.unknown()).isEmpty();
    }

    /* The annotation processor takes the text of maxWaiting for maxWait if that parameter comes later. */
    @Test
    void each_description_is_that_of_the_setting_itself() throws IOException {
        for (String name : page.ours()) {
            String description = page.metadata(name).path("description").asString("");
            String source = page.metadata(name).path("sourceType").asString("");
            if (source.endsWith("Settings")) {
                assertThat(javadoc(source)).contains("@param %s %s".formatted(component(name), description));
            } else {
                assertThat(description).as(name).isNotBlank();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    registrar.store.read-connections                 | 1 to 1,000
                    registrar.store.page-size                        | 64KB to 64MB
                    registrar.store.connection-timeout               | 250ms to 10m
                    registrar.store.retry.multiplier                 | 1 to 10
                    registrar.store.max-type-length                  | 1 to 300
                    registrar.http.max-body-size                     | 1B to 16MB
                    registrar.http.max-append-size                   | 1B to 64MB
                    registrar.imports.max-file-size                  | 1B to 64MB
                    registrar.http.admission.max-concurrent-requests | 1 to 1,000,000
                    registrar.projections.pause                      | 0 to 10s
                    registrar.projections.on-failure                 | `stop`, `skip`
                    registrar.live.heartbeat                         | 10ms to 1h
                    """)
    void bounds_are_found_by_trying(String name, String bounds) {
        assertThat(page.bounds(name)).isEqualTo(bounds);
    }

    private static String javadoc(String type) throws IOException {
        // A record within another one is in the other's file.
        String file = "src/main/java/" + type.replaceFirst("\\$.*", "").replace('.', '/') + ".java";
        Path starter = Path.of("spring-boot-starter").resolve(file);
        return Files.readString(Files.exists(starter) ? starter : Path.of(file))
                .replaceAll("\\n\\s*\\*\\s*", " ")
                .replaceAll("\\s+", " ");
    }

    private static String component(String name) {
        StringBuilder component = new StringBuilder();
        for (String word : name.substring(name.lastIndexOf('.') + 1).split("-", -1)) {
            component.append(component.isEmpty() ? word : Character.toUpperCase(word.charAt(0)) + word.substring(1));
        }
        return component.toString();
    }
}

package dev.registrar.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a Java that is too old, the launcher prints one sentence. */
class LauncherTest {
    private static final int MAGIC = 0xCAFEBABE;
    private static final int JAVA_17 = 61;

    @ParameterizedTest
    @ValueSource(strings = {"Launcher.class", "package-info.class"})
    void java_17_can_read_the_classes_that_start_the_service(String file) throws IOException {
        try (DataInputStream classFile = new DataInputStream(
                Objects.requireNonNull(Launcher.class.getResourceAsStream(file), file + " is missing"))) {
            assertThat(classFile.readInt()).isEqualTo(MAGIC);
            assertThat(classFile.readUnsignedShort()).as("minor version").isZero();
            assertThat(classFile.readUnsignedShort()).as("major version").isLessThanOrEqualTo(JAVA_17);
        }
    }

    @Test
    void the_refusal_names_both_versions_and_the_java_home() {
        assertThat(Launcher.refusal("17.0.15", "/opt/java"))
                .isEqualTo("Registrar needs Java 21 or newer, but this is Java 17.0.15 (/opt/java);"
                        + " start it with the java of a newer JDK");
    }

    @Test
    void java_17_ends_with_one_sentence_and_no_stack_trace() throws Exception {
        Optional<Path> java17 = java17();
        assumeThat(java17).as("an installed Java 17").isPresent();
        Path classes = Path.of(Launcher.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        Process process = new ProcessBuilder(
                        java17.orElseThrow().resolve("bin/java").toString(),
                        "-cp",
                        classes.toString(),
                        Launcher.class.getName())
                .redirectErrorStream(true)
                .start();
        String printed;
        try (InputStream output = process.getInputStream()) {
            printed = new String(output.readAllBytes(), StandardCharsets.UTF_8);
        }

        assertThat(process.waitFor()).isEqualTo(1);
        assertThat(printed.lines())
                .singleElement()
                .asString()
                .startsWith("Registrar needs Java 21 or newer, but this is Java 17.");
    }

    private static Optional<Path> java17() throws IOException {
        Path installed = Path.of("/usr/lib/jvm");
        Stream<Path> named = Stream.of("JAVA17_HOME", "JAVA_HOME_17_X64", "JAVA_HOME_17_arm64")
                .map(System.getenv()::get)
                .filter(Objects::nonNull)
                .map(Path::of);
        try (Stream<Path> found = Files.isDirectory(installed) ? Files.list(installed) : Stream.empty()) {
            List<Path> homes = Stream.concat(named, found.sorted()).toList();
            return homes.stream().filter(LauncherTest::isJava17).findFirst();
        }
    }

    private static boolean isJava17(Path home) {
        Path release = home.resolve("release");
        try {
            return Files.isExecutable(home.resolve("bin/java"))
                    && Files.isRegularFile(release)
                    && Files.readString(release).contains("JAVA_VERSION=\"17");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}

package dev.registrar.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderLockTest {
    @Test
    void a_link_in_place_of_the_lock_is_not_followed(@TempDir Path parent) throws IOException {
        Path other = Files.writeString(parent.resolve("other"), "kept");
        Path link = Files.createSymbolicLink(parent.resolve("postgres.lock"), other);

        assertThatThrownBy(() -> DataFolderLock.take(link, parent.resolve("postgres")))
                .isInstanceOf(IOException.class);
        assertThat(other).hasContent("kept");
    }
}

package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MigrationSettingsTest {
    @Test
    void retries_out_of_bounds_are_refused_by_the_name_of_their_setting() {
        assertThatThrownBy(() -> retrying(-1, Duration.ofSeconds(1)))
                .hasMessage("spring.flyway.connect-retries must be 0 to 100 but is -1");
        assertThatThrownBy(() -> retrying(101, Duration.ofSeconds(1)))
                .hasMessage("spring.flyway.connect-retries must be 0 to 100 but is 101");
        assertThatThrownBy(() -> retrying(1, Duration.ZERO))
                .hasMessage("spring.flyway.connect-retries-interval must be above zero but is PT0S");
    }

    private static MigrationSettings retrying(int retries, Duration longestPause) {
        return new MigrationSettings(null, null, null, retries, longestPause);
    }
}

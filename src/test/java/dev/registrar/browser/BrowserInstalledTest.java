package dev.registrar.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

class BrowserInstalledTest {
    private static final Optional<String> MISSING = Optional.of("/usr/bin/chromium");

    @Test
    void a_test_without_its_browser_is_skipped_and_says_what_is_missing() {
        ConditionEvaluationResult skipped = BrowserInstalled.result(MISSING, false);

        assertThat(skipped.isDisabled()).isTrue();
        assertThat(skipped.getReason()).hasValue("there is no /usr/bin/chromium, which .ci/browser installs");
    }

    @Test
    void a_test_whose_browser_is_required_is_not_skipped() {
        assertThat(BrowserInstalled.result(MISSING, true).isDisabled()).isFalse();
    }

    @Test
    void a_test_with_its_browser_runs() {
        assertThat(BrowserInstalled.result(Optional.empty(), false).isDisabled())
                .isFalse();
    }
}

package dev.registrar.browser;

import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Skips a test class where no browser is installed, and logs why, unless a skip counts as a failure. */
final class BrowserInstalled implements ExecutionCondition {
    static final String REQUIRED = "registrar.browser.required";

    private static final Logger LOG = LoggerFactory.getLogger(BrowserInstalled.class);

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        ConditionEvaluationResult result = result(Browser.missing(), Boolean.getBoolean(REQUIRED));
        if (result.isDisabled() && context.getTestMethod().isEmpty()) {
            LOG.warn(
                    "{} skipped: {}",
                    context.getDisplayName(),
                    result.getReason().orElse(""));
        }
        return result;
    }

    /**
     * A test that needs a missing browser and may not be skipped runs, and fails where it opens the browser.
     *
     * @param missing what is missing; empty if nothing is
     */
    static ConditionEvaluationResult result(Optional<String> missing, boolean required) {
        return missing.filter(program -> !required)
                .map(program -> ConditionEvaluationResult.disabled(
                        "there is no %s, which .ci/browser installs".formatted(program)))
                .orElseGet(() -> ConditionEvaluationResult.enabled("A browser is installed or required"));
    }
}

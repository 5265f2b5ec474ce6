package dev.registrar;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets how every test waits for a condition. A wait ends within 10 ms of its condition. It fails after two minutes, so
 * that a busy machine only makes a test slower. Registered for all tests by a service file.
 */
public final class AwaitilityTimeouts implements BeforeAllCallback {
    /** The longest wait for something that normally happens immediately. */
    public static final Duration MAX_WAIT = Duration.ofMinutes(2);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(10);

    /** Instantiated by JUnit. */
    public AwaitilityTimeouts() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultTimeout(MAX_WAIT);
        Awaitility.setDefaultPollDelay(Duration.ZERO);
        Awaitility.setDefaultPollInterval(BETWEEN_LOOKS);
    }
}

package dev.registrar.autoconfigure;

import dev.registrar.subscription.LiveOptions;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the live feed.
 *
 * @param maxListeners streams of live events at a time; further streams are rejected as overload
 * @param maxWaiting events that may wait for one stream; with one more, the stream ends
 */
@Validated
@ConfigurationProperties("registrar.live")
record LiveSettings(
        @DefaultValue("1000") @Min(1) @Max(LiveOptions.MOST_LISTENERS) int maxListeners,

        @DefaultValue("1000") @Min(1) @Max(LiveOptions.MOST_WAITING) int maxWaiting) {

    LiveOptions options() {
        return new LiveOptions(maxListeners, maxWaiting);
    }
}

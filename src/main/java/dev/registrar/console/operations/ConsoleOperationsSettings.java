package dev.registrar.console.operations;

import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The settings of the console's pages for operators.
 *
 * @param grafanaUrl the http or https address of the service's dashboard in Grafana, to which the console links; blank
 *     for no link
 */
@Validated
@ConfigurationProperties("registrar.console")
record ConsoleOperationsSettings(
        @DefaultValue("") @NotNull @Pattern(regexp = "(https?://.+)?")
        String grafanaUrl) {}

package dev.registrar.application;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Shows that another program uses the service's port, and which setting changes the port. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class PortFailureAnalyzer extends AbstractFailureAnalyzer<PortInUseException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, PortInUseException failure) {
        String setting = failure instanceof PortCheck.TakenPortException taken ? taken.setting() : "server.port";
        return new FailureAnalysis(
                "Port %s is used by another program, perhaps by another Registrar.".formatted(failure.getPort()),
                "Stop that program, or start with --%s=%s, or with --%s=0 for any free port."
                        .formatted(setting, failure.getPort() + 1, setting),
                failure);
    }
}

package dev.registrar.benchmarks.suite;

import dev.registrar.Api;
import dev.registrar.RegistrarApplication;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.security.TestIssuer;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this process, on the measured database, with settings of a benchmark's own. */
final class RunningRegistrar implements AutoCloseable {
    private final ConfigurableApplicationContext service;
    final Api api;

    /** Starts the service and returns when it is ready. */
    RunningRegistrar(String... settings) {
        this(new SpringApplicationBuilder(RegistrarApplication.class), settings);
    }

    /** Starts the service so that it asks for the tokens of {@link TestIssuer}. */
    static RunningRegistrar withIssuer(String... settings) {
        return new RunningRegistrar(
                new SpringApplicationBuilder(RegistrarApplication.class, TestIssuer.Keys.class)
                        .properties(TestIssuer.settings()),
                settings);
    }

    private RunningRegistrar(SpringApplicationBuilder application, String... settings) {
        List<String> all = new ArrayList<>(MeasuredDatabase.ofThisProcess().serviceArguments(0));
        all.addAll(List.of(settings));
        this.service = application.run(all.toArray(String[]::new));
        this.api = new Api(service.getEnvironment().getRequiredProperty("local.server.port", int.class));
    }

    @Override
    public void close() {
        service.close();
    }
}

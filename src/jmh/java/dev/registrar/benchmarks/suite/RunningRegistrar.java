package dev.registrar.benchmarks.suite;

import dev.registrar.Api;
import dev.registrar.RegistrarApplication;
import dev.registrar.benchmarks.MeasuredDatabase;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this process, on the measured database. */
final class RunningRegistrar implements AutoCloseable {
    private final ConfigurableApplicationContext service;
    final Api api;

    /** Starts the service with settings of a benchmark's own, and returns when it is ready. */
    RunningRegistrar(SpringApplicationBuilder application, String... settings) {
        List<String> all = new ArrayList<>(MeasuredDatabase.ofThisProcess().serviceArguments());
        all.add("--server.port=0");
        all.addAll(List.of(settings));
        service = application.run(all.toArray(String[]::new));
        api = new Api(service.getEnvironment().getRequiredProperty("local.server.port", int.class));
    }

    RunningRegistrar(String... settings) {
        this(new SpringApplicationBuilder(RegistrarApplication.class), settings);
    }

    @Override
    public void close() {
        service.close();
    }
}

package dev.registrar.benchmarks.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class LeaksTest {
    private final Leaks leaks = new Leaks();

    @Test
    void a_value_that_only_grows_is_a_leak() {
        DoubleStream.of(20, 20, 20, 20, 20, 20).forEach(value -> leaks.add("threads", value));
        DoubleStream.of(30.1, 33.2, 35.0, 38.9, 41.7, 44.0).forEach(value -> leaks.add("heap", value));

        assertThat(leaks.found()).contains("heap: [30.1, 33.2, 35.0, 38.9, 41.7, 44.0]");
    }

    @Test
    void a_value_that_fluctuates_or_falls_is_not_a_leak() {
        DoubleStream.of(30.1, 29.2, 33.0, 28.9, 31.7, 29.0).forEach(value -> leaks.add("heap", value));
        DoubleStream.of(60, 50, 40, 30, 20, 10).forEach(value -> leaks.add("threads", value));

        assertThat(leaks.found()).isEmpty();
    }
}

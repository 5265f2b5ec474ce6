package dev.registrar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OnlyServerTestsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.registrar.TestDatabaseTest",
                "dev.registrar.http.DescriptionTest",
                "dev.registrar.projection.ProjectionRunnerTest",
                "dev.registrar.eventstore.postgres.PostgresContractTest"
            })
    void a_test_can_use_the_server_through_another_class(String test) throws ClassNotFoundException {
        assertThat(OnlyServerTests.touchesServer(Class.forName(test))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.registrar.ArchitectureTest",
                "dev.registrar.enrollment.ValuesTest",
                "dev.registrar.eventstore.InMemoryEventStoreTest"
            })
    void a_domain_or_in_memory_test_does_not_use_the_server(String test) throws ClassNotFoundException {
        assertThat(OnlyServerTests.touchesServer(Class.forName(test))).isFalse();
    }
}

package dev.registrar.projection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A test that starts and stops instances of a service. */
abstract class ProjectionFixture {
    Instances instances;

    @BeforeEach
    void open() {
        instances = new Instances();
    }

    @AfterEach
    void close() {
        instances.close();
    }
}

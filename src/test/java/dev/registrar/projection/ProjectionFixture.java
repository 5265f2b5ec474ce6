package dev.registrar.projection;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Instances of a service that a test starts and stops. */
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

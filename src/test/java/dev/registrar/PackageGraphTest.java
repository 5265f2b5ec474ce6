package dev.registrar;

import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

class PackageGraphTest {
    @Test
    void packages_use_only_what_they_declare() {
        ApplicationModules.of(RegistrarApplication.class).verify();
    }
}

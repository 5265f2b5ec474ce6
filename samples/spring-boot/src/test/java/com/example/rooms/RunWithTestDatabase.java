package com.example.rooms;

import dev.registrar.testdatabase.TestDatabaseConfiguration;
import org.springframework.boot.SpringApplication;

/** The application with a fresh database, which is dropped at its end: {@code mvn spring-boot:test-run}. */
class RunWithTestDatabase {

    public static void main(String[] arguments) {
        SpringApplication.from(RoomsApplication::main)
                .with(TestDatabaseConfiguration.class)
                .run(arguments);
    }
}

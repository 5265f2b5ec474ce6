package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.testdatabase.TestDatabase;
import org.junit.jupiter.api.Test;

class FirstAppendTest {
    @Test
    void a_name_can_be_claimed_once() {
        try (TestDatabase database = TestDatabase.create()) {
            assertThat(FirstAppend.claim(database.url(), database.username(), database.password()))
                    .isInstanceOf(Appended.class);
            assertThat(FirstAppend.claim(database.url(), database.username(), database.password()))
                    .isInstanceOf(Conflict.class);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .as("the closed store's threads")
                .noneMatch(thread -> thread.getName().contains("registrar")
                        || thread.getName().contains("event-store"));
    }

    @Test
    void neither_spring_nor_optional_libraries_are_present() {
        for (String name :
                new String[] {"org.springframework.core.SpringVersion", "org.springframework.modulith.ApplicationModule"
                }) {
            assertThat(FirstAppendTest.class.getClassLoader().getResource(name.replace('.', '/') + ".class"))
                    .as(name)
                    .isNull();
        }
        assertThat(FirstAppendTest.class.getResource("/application.yaml")).isNull();
        assertThat(FirstAppendTest.class.getResource("/db/migration")).isNull();
    }
}

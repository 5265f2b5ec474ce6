package com.example.notes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Keeps notes. */
@SpringBootApplication
public class NotesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(NotesApplication.class, arguments);
    }
}

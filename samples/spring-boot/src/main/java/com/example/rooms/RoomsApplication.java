package com.example.rooms;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Books meeting rooms. */
@SpringBootApplication
public class RoomsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RoomsApplication.class, arguments);
    }
}

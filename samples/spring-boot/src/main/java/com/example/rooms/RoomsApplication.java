package com.example.rooms;

import dev.registrar.decision.EventCodec;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Books meeting rooms. */
@SpringBootApplication
public class RoomsApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(RoomsApplication.class, arguments);
    }

    /** With a codec, the starter makes the {@code DecisionLoop<RoomEvent>}. */
    @Bean
    EventCodec<RoomEvent> codec() {
        return RoomEvent.CODEC;
    }
}

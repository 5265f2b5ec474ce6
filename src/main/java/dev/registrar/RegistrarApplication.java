package dev.registrar;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The course-enrollment service. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class RegistrarApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(RegistrarApplication.class, arguments);
    }
}

package dev.registrar;

import dev.registrar.application.PortCheck;
import dev.registrar.application.TransferCommand;
import dev.registrar.embedded.EarlyDatabaseStart;
import java.util.Locale;
import java.util.TimeZone;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** The course-enrollment service. */
// ServerProblems answers instead; the relay to Kafka imports its configuration if it is started
@SpringBootApplication(exclude = {ErrorMvcAutoConfiguration.class, KafkaAutoConfiguration.class})
@ConfigurationPropertiesScan
public class RegistrarApplication {

    /**
     * Runs the service until it is stopped, or with {@code registrar.stop-when-ready} until it is ready; or, if the
     * first argument is {@code export} or {@code import}, moves a history without the service.
     */
    public static void main(String[] arguments) {
        // The driver sends the time zone of the JVM to PostgreSQL, which does not know all of Java's names.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        // Libraries use the locale of the JVM: for texts of meters, and for messages in the log.
        Locale.setDefault(Locale.ENGLISH);
        if (TransferCommand.isNamed(arguments)) {
            System.exit(TransferCommand.run(arguments));
        }
        ConfigurableApplicationContext service = application().run(arguments);
        if (service.getEnvironment().getProperty("registrar.stop-when-ready", Boolean.class, false)) {
            service.close();
        }
    }

    /** The service as it is started by {@link #main}. */
    static SpringApplication application() {
        SpringApplication application = new SpringApplication(RegistrarApplication.class);
        application.addListeners(new PortCheck(), new EarlyDatabaseStart());
        return application;
    }
}

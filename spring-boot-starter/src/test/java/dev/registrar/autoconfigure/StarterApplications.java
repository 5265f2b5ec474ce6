package dev.registrar.autoconfigure;

import dev.registrar.testdatabase.TestDatabase;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** Applications with the starter and without the course office. */
final class StarterApplications {
    private StarterApplications() {}

    /** An application with all auto-configurations of the class path, those of the starter and of Spring Boot. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** With all auto-configurations; no database is configured. */
    static ApplicationContextRunner any() {
        return new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues("management.otlp.metrics.export.enabled=false");
    }

    /** With all auto-configurations and a database. */
    static ApplicationContextRunner with(TestDatabase database) {
        return any().withPropertyValues(properties(database));
    }

    /** With the starter's auto-configurations and the one of a {@code DataSource}; no database is configured. */
    static ApplicationContextRunner onlyOurs() {
        return new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(Stream.concat(Stream.of(DataSourceAutoConfiguration.class), ours())
                                .toArray(Class<?>[]::new)));
    }

    static String[] properties(TestDatabase database) {
        return new String[] {
            "spring.datasource.url=" + database.url(),
            "spring.datasource.username=" + database.username(),
            "spring.datasource.password=" + database.password()
        };
    }

    static Stream<Class<?>> ours() {
        return StreamSupport.stream(
                        ImportCandidates.load(AutoConfiguration.class, null).spliterator(), false)
                .filter(name -> name.startsWith("dev.registrar."))
                .map(StarterApplications::named);
    }

    static Class<?> named(String name) {
        try {
            return Class.forName(name, false, StarterApplications.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new AssertionError("There is no class " + name, missing);
        }
    }
}

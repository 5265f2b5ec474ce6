package dev.registrar.benchmarks;

import dev.registrar.dataset.DataSet;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The database that a trial measures. A measuring process receives it as system properties. */
public record MeasuredDatabase(String url, String username, String password, Contents contents) {
    /** The default schema of the store. */
    public static final String STORE_SCHEMA = "registrar";

    private static final String PREFIX = "registrar.benchmark.";

    /** Returns the database that this process measures. */
    public static MeasuredDatabase ofThisProcess() {
        return new MeasuredDatabase(
                property("url"),
                property("username"),
                property("password"),
                new Contents(
                        DataSet.valueOf(property("data")),
                        Integer.parseInt(property("copies")),
                        Integer.parseInt(property("freshmen")),
                        Integer.parseInt(property("hot-events"))));
    }

    /** Returns the system properties that pass the database to another process. */
    public Map<String, String> asProperties() {
        Map<String, String> properties = new LinkedHashMap<>();
        properties.put(PREFIX + "url", url);
        properties.put(PREFIX + "username", username);
        properties.put(PREFIX + "password", password);
        properties.put(PREFIX + "data", contents.data().name());
        properties.put(PREFIX + "copies", Integer.toString(contents.copies()));
        properties.put(PREFIX + "freshmen", Integer.toString(contents.freshmen()));
        properties.put(PREFIX + "hot-events", Integer.toString(contents.hotEvents()));
        return properties;
    }

    /** Opens a connection outside any pool. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, username, password);
    }

    /** Returns the JVM options of a process that measures it. */
    public List<String> javaOptions() {
        List<String> options = new ArrayList<>(List.of("-Xmx1g"));
        asProperties().forEach((name, value) -> options.add("-D%s=%s".formatted(name, value)));
        return options;
    }

    private static String property(String name) {
        String value = System.getProperty(PREFIX + name);
        if (value == null) {
            throw new IllegalStateException(
                    "%s%s is not set: start benchmarks with Figures or Suite".formatted(PREFIX, name));
        }
        return value;
    }
}

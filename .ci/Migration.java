import dev.registrar.testdatabase.TestDatabase;
import dev.registrar.testdatabase.TestServer;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * Migrates empty databases on a server of its own and prints time and number of statements of each, as JSON. The first
 * one only warms up Flyway's classes. Java runs this file, on the class path of a revision's tests.
 */
final class Migration {
    private static final int TIMES = 5;
    private static final Set<Class<?>> SENDERS = Set.of(Connection.class, Statement.class, PreparedStatement.class);

    public static void main(String[] arguments) throws Exception {
        List<String> milliseconds = new ArrayList<>();
        int statements = 0;
        for (int time = 0; time <= TIMES; time++) {
            AtomicInteger sent = new AtomicInteger();
            try (TestDatabase database = TestDatabase.create()) {
                if (time == 0) {
                    printServer(database.dataSource());
                }
                DataSource counting = (DataSource) counting(DataSource.class, database.dataSource(), sent);
                long begun = System.nanoTime();
                StoreSchema.migrate(counting, "registrar");
                double took = (System.nanoTime() - begun) / 1e6;
                if (time > 0) {
                    milliseconds.add(String.format(Locale.ROOT, "%.1f", took));
                }
                statements = sent.get();
            }
        }
        TestServer.stop();
        System.out.printf("{\"milliseconds\": %s, \"statements\": %s}%n", milliseconds, statements);
        System.exit(0);
    }

    private static void printServer(DataSource database) throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet setting = statement.executeQuery("""
                        select name, current_setting(name)
                        from pg_settings
                        where name in ('server_version', 'fsync', 'synchronous_commit', 'full_page_writes',
                            'shared_buffers', 'max_connections')""")) {
            while (setting.next()) {
                System.out.printf("postgresql.%s: %s%n", setting.getString(1), setting.getString(2));
            }
        }
    }

    /* Counts the calls that send statements: each execute of a statement, and of what the counted object returns. */
    private static Object counting(Class<?> type, Object counted, AtomicInteger sent) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                sent.incrementAndGet();
            }
            try {
                Object result = method.invoke(counted, arguments);
                Class<?> returned = method.getReturnType();
                return SENDERS.contains(returned) && result != null ? counting(returned, result, sent) : result;
            } catch (InvocationTargetException failure) {
                throw failure.getCause();
            }
        };
        return Proxy.newProxyInstance(Migration.class.getClassLoader(), new Class<?>[] {type}, handler);
    }
}

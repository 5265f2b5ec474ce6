package dev.registrar.eventstore.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.ArrayList;
import java.util.List;

/** The plans that PostgreSQL reports while statements run on a connection. */
final class PlanLog {
    private final List<String> plans = new ArrayList<>();

    /** The same connection; the warnings of its prepared statements are kept when the statements are closed. */
    Connection listening(Connection connection) {
        return proxy(
                Connection.class,
                connection,
                (name, result) -> result instanceof PreparedStatement statement ? listening(statement) : result);
    }

    List<String> plans() {
        return plans;
    }

    private PreparedStatement listening(PreparedStatement statement) {
        return proxy(PreparedStatement.class, statement, (name, result) -> {
            if (name.startsWith("execute")) {
                keep(statement);
            }
            return result;
        });
    }

    private void keep(PreparedStatement statement) throws SQLException {
        for (SQLWarning warning = statement.getWarnings(); warning != null; warning = warning.getNextWarning()) {
            String message = String.valueOf(warning.getMessage());
            if (message.contains("plan:")) {
                plans.add(message);
            }
        }
    }

    private interface After {
        Object apply(String method, Object result) throws SQLException;
    }

    private static <T> T proxy(Class<T> type, T target, After after) {
        return type.cast(Proxy.newProxyInstance(
                PlanLog.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    try {
                        return after.apply(method.getName(), method.invoke(target, arguments));
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                }));
    }
}

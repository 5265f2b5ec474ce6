package dev.registrar.projection;

import org.springframework.jdbc.core.simple.JdbcClient;

/** The tables of one generation of a view, in a transaction that applies events or in a look-up. */
public sealed class Tables permits SearchedTables {
    private final JdbcClient jdbc;
    private final String schema;
    private final String before;
    private final String after;

    /** @param schema of this generation alone */
    Tables(JdbcClient jdbc, String schema) {
        this(jdbc, schema, "", "");
    }

    /** Tables whose statements are sent together with others, which come before and after them. */
    Tables(JdbcClient jdbc, String schema, String before, String after) {
        this.jdbc = jdbc;
        this.schema = schema;
        this.before = before;
        this.after = after;
    }

    /** The schema of this generation alone. */
    public String schema() {
        return schema;
    }

    /** One statement with <code>${schema}.</code> before the names of the view's tables. */
    public JdbcClient.StatementSpec sql(String text) {
        return jdbc.sql(before + text.replace("${schema}", schema) + after);
    }
}

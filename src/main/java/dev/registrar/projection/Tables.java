package dev.registrar.projection;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables of a view, one build of them.
 *
 * @param jdbc within the caller's transaction, if there is one
 * @param schema that the tables, and nothing else, are in
 */
public record Tables(JdbcClient jdbc, String schema) {

    /** A statement in which <code>${schema}.</code> stands before the names of the view's tables. */
    public JdbcClient.StatementSpec sql(String text) {
        return jdbc.sql(text.replace("${schema}", schema));
    }
}

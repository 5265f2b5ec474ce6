package dev.registrar.projection;

import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The tables of one generation of a view.
 *
 * @param jdbc of the transaction that applies events, or of a look-up
 * @param schema of this generation alone
 */
public record Tables(JdbcClient jdbc, String schema) {

    /** A statement with <code>${schema}.</code> before the names of the view's tables. */
    public JdbcClient.StatementSpec sql(String text) {
        return jdbc.sql(text.replace("${schema}", schema));
    }
}

package dev.registrar.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * A read replica of the database.
 *
 * @param url the JDBC URL of a standby, on which look-ups, the explorer and the beginning of live streams read, with
 *     the role and the password of the database; without it they read the primary
 */
@ConfigurationProperties("registrar.replica")
record ReplicaSettings(String url) {

    /** Without the URL, which may contain a password. */
    @Override
    public String toString() {
        return "ReplicaSettings[]";
    }
}

package dev.registrar.console.operations;

import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.time.Duration;
import java.util.List;

/** The settings of the store that explain what it does under load. None of them is a secret. */
final class StoreSettingRows {

    private StoreSettingRows() {}

    /** A setting, with the end of its name behind {@code registrar.store.}. */
    record Row(String name, String value) {
        static Row of(String name, long value) {
            return new Row(name, Numbers.count(value));
        }

        static Row of(String name, Duration value) {
            return new Row(name, Numbers.duration(value));
        }

        static Row of(String name, boolean value) {
            return new Row(name, value ? "yes" : "no");
        }
    }

    static List<Row> of(StoreOptions options) {
        return List.of(
                new Row("schema", options.schema()),
                Row.of("require-actor", options.requireActor()),
                Row.of("group.in-flight", options.group().inFlight()),
                Row.of("group.max-requests", options.group().maxRequests()),
                Row.of("group.max-events", options.group().maxEvents()),
                Row.of("group.max-waiting", options.group().maxWaiting()),
                Row.of("group.max-wait", options.group().maxWait()),
                Row.of("read-connections", options.readConnections()),
                Row.of("max-waiting-reads", options.maxWaitingReads()),
                Row.of("resource-lock-connections", options.resourceLockConnections()),
                Row.of("max-projections", options.maxProjections()),
                new Row("read-memory", Numbers.bytes(options.readMemory())),
                new Row("client-read-memory", Numbers.bytes(options.clientReadMemory())),
                Row.of("connection-timeout", options.connectionTimeout()),
                Row.of("statement-timeout", options.statementTimeout()),
                Row.of("lock-timeout", options.lockTimeout()),
                Row.of("idempotency-retention", options.idempotencyRetention()),
                Row.of("retry.max-retries", options.retry().maxRetries()),
                Row.of("breaker.enabled", options.breaker().enabled()),
                Row.of("breaker.window", options.breaker().window()),
                Row.of("breaker.open-for", options.breaker().openFor()),
                Row.of("max-events-per-append", options.limits().maxEventsPerAppend()),
                new Row("max-append-bytes", Numbers.bytes(options.limits().maxAppendBytes())),
                new Row("max-payload-bytes", Numbers.bytes(options.limits().maxPayloadBytes())));
    }
}

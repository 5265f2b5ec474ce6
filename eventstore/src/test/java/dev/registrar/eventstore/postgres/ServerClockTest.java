package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Instances, and a server, whose clocks are an hour wrong. The server of this test has the clock of this machine. */
@ExtendWith(OutputCaptureExtension.class)
class ServerClockTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final InstantSource AHEAD = () -> Instant.now().plus(HOUR);

    private static StoreDatabase database;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private HikariDataSource pool;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void connect() {
        database.clear();
        pool = database.pool(StoreDatabase.defaultSettings());
    }

    @AfterEach
    void disconnect() {
        pool.close();
    }

    private ServerClock clock(InstantSource here) {
        StoreOptions options = StoreDatabase.defaultSettings();
        return new ServerClock(StoreDatabase.on(pool, options, meters), options.schema(), meters, here);
    }

    private PostgresEventStore store() {
        StoreOptions options = StoreDatabase.defaultSettings();
        return new PostgresEventStore(pool, options, StoreContext.standalone());
    }

    private static void append(PostgresEventStore store) {
        store.append(List.of(Event.of("Happened", "{}", "seat:1")));
    }

    @Test
    void an_instance_whose_clock_is_an_hour_ahead_has_the_time_of_the_server(CapturedOutput log) {
        ServerClock clock = clock(AHEAD);

        clock.measure();

        assertThat(clock.instant()).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
        assertThat(seconds("difference")).isCloseTo(-3_600, within(60.0));
        assertThat(log).contains("The clock of the database's server is behind this machine's by PT");
    }

    @Test
    void an_instance_whose_clock_is_right_keeps_its_time(CapturedOutput log) {
        ServerClock clock = clock(InstantSource.system());

        clock.measure();

        assertThat(seconds("difference")).isCloseTo(0, within(0.001));
        assertThat(log).doesNotContain("The clock of the database's server");
    }

    @Test
    void the_server_stamps_events_that_are_appended_alone_or_together() {
        Instant before = Instant.now().truncatedTo(ChronoUnit.MICROS);
        append(store());
        store().append(List.of(Event.of("Happened", "{}"), Event.of("Happened", "{}")));
        Instant after = Instant.now();

        assertThat(store().read(Query.all()).toList())
                .hasSize(3)
                .allSatisfy(event -> assertThat(event.recordedAt()).isBetween(before, after))
                .isSortedAccordingTo((one, other) -> one.recordedAt().compareTo(other.recordedAt()));
    }

    /* As after a failover to a server whose clock is an hour behind. */
    @Test
    void events_and_decisions_have_the_time_of_the_last_event_while_the_clock_of_the_server_is_behind_it(
            CapturedOutput log) {
        append(database.newStore(AHEAD, StoreDatabase.defaultSettings()));
        append(store());
        store().append(List.of(Event.of("Happened", "{}"), Event.of("Happened", "{}")));
        ServerClock clock = clock(InstantSource.system());

        clock.measure();

        assertThat(store().read(Query.all()).toList().stream().map(SequencedEvent::recordedAt))
                .hasSize(4)
                .containsOnly(store().last(Query.all()).orElseThrow().recordedAt())
                .allSatisfy(time -> assertThat(time).isAfter(Instant.now().plus(HOUR.dividedBy(2))));
        assertThat(clock.instant())
                .isEqualTo(store().last(Query.all()).orElseThrow().recordedAt());
        assertThat(seconds("behind")).isCloseTo(3_600, within(60.0));
        assertThat(log).contains("The clock of the database's server is behind the time of the last event by PT");
    }

    private double seconds(String meter) {
        return meters.get("registrar.store.clock." + meter).gauge().value();
    }
}

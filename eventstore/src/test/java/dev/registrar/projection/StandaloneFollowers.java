package dev.registrar.projection;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.FeedSignal;
import dev.registrar.subscription.Listener;
import dev.registrar.subscription.LiveFeed;
import dev.registrar.subscription.LiveOptions;
import dev.registrar.subscription.Subscriptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.postgresql.ds.PGSimpleDataSource;

/** A view, a subscription and a listener in an application without a framework. */
public final class StandaloneFollowers implements Callable<List<String>> {
    /* That of the other tests; it is not on the class path of an application without JUnit. */
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);

    private final String url;
    private final String username;
    private final String password;

    public StandaloneFollowers(String url, String username, String password) {
        this.url = url;
        this.username = username;
        this.password = password;
    }

    /** Appends an event while all of them are running, and returns the positions that each has received. */
    @Override
    public List<String> call() throws InterruptedException {
        PGSimpleDataSource connections = new PGSimpleDataSource();
        connections.setUrl(url);
        connections.setUser(username);
        connections.setPassword(password);
        Tally tally = new Tally("tally");
        BlockingQueue<Position> received = new LinkedBlockingQueue<>();
        try (PostgresEventStore store = PostgresEventStore.open(url, username, password);
                AppendSignals signals = AppendSignals.of(store);
                Subscriptions subscriptions = new Subscriptions(store, signals);
                LiveFeed feed = new LiveFeed(store, signals, LiveOptions.defaults());
                ProjectionRunner runner = ProjectionRunner.open(connections, store, List.of(tally))) {
            runner.start();
            subscriptions.subscribe(Query.all(), Position.START, event -> received.add(event.position()));
            Listener listener = feed.listen(Query.all(), Position.START);
            Event event = Event.of(Tally.COUNTED, "{}", "tally:1");
            Position last = ((AppendResult.Appended) store.append(Append.of(List.of(event)))).last();

            ViewAt<List<Long>> counted = runner.views().read(tally, last, Tally::positions);
            FeedSignal heard = listener.next(MAX_WAIT);
            return List.of(
                    "view " + counted.found(),
                    "subscription " + received.poll(MAX_WAIT.toSeconds(), TimeUnit.SECONDS),
                    "listener " + (heard instanceof FeedSignal.Delivery(var delivered) ? delivered.position() : heard));
        }
    }
}

package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.projection.Follower;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Views and automations that are beans of an application in which nothing can run them: the application does not start.
 */
final class FollowersWithoutRunner {
    private FollowersWithoutRunner() {}

    static StoreStartFailure failure(ConfigurableListableBeanFactory beans) {
        String missing = Stream.of(EventStore.class, DataSource.class)
                .flatMap(type -> SingleCandidate.missing(beans, type).stream())
                .collect(Collectors.joining(" and "));
        return new StoreStartFailure(
                "Nothing runs the views and automations of the application (%s): it has %s."
                        .formatted(
                                String.join(", ", SingleCandidate.names(beans, Follower.class)),
                                missing.isEmpty() ? "no ProjectionRunner" : missing),
                "Let the application have one EventStore and one DataSource, or make one of several primary, or define a"
                        + " ProjectionRunner as a bean. If other instances run them, set registrar.projections.enabled to"
                        + " false.",
                null);
    }
}

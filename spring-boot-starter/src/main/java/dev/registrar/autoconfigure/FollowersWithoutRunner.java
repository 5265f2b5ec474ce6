package dev.registrar.autoconfigure;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.projection.Follower;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The failure of an application that has views or automations as beans and cannot run them. */
final class FollowersWithoutRunner {
    private FollowersWithoutRunner() {}

    static StoreStartFailure failure(ConfigurableListableBeanFactory beans) {
        String missing = Stream.of(EventStore.class, DataSource.class)
                .flatMap(type -> SingleCandidate.missing(beans, type).stream())
                .collect(Collectors.joining(" and "));
        return new StoreStartFailure(
                "Nothing runs the application's views and automations (%s): the application has %s."
                        .formatted(
                                String.join(", ", SingleCandidate.names(beans, Follower.class)),
                                missing.isEmpty() ? "no ProjectionRunner" : missing),
                "Define one EventStore and one DataSource, or mark one of several as primary, or define a"
                        + " ProjectionRunner bean. If other instances run them, set registrar.projections.enabled to"
                        + " false.",
                null);
    }
}

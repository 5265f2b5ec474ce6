package dev.registrar.projection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The views, automations and relays of an application by their names, in their given order. */
final class Followers {
    private final Map<String, Follower> byName = new LinkedHashMap<>();

    /** Checks that each name is valid and unique. */
    Followers(Collection<? extends Follower> followers) {
        for (Follower follower : new ArrayList<>(followers)) {
            if (!follower.name().matches(Follower.NAME)) {
                throw new IllegalArgumentException(
                        "A projection's name must match %s but is '%s'".formatted(Follower.NAME, follower.name()));
            }
            if (byName.put(follower.name(), follower) != null) {
                throw new IllegalArgumentException("Two projections have the name '%s'".formatted(follower.name()));
            }
        }
    }

    Collection<Follower> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    List<View> views() {
        return byName.values().stream()
                .filter(View.class::isInstance)
                .map(View.class::cast)
                .toList();
    }

    /** The follower with the name. */
    Follower named(String name) {
        Follower follower = byName.get(name);
        if (follower == null) {
            throw new UnknownProjectionException(name);
        }
        return follower;
    }

    /**
     * The view with the name.
     *
     * @throws NotRebuildableException if it is none
     */
    View view(String name) {
        return switch (named(name)) {
            case View view -> view;
            case Automation automation -> throw NotRebuildableException.ofAutomation(name);
            case Relay relay -> throw NotRebuildableException.ofRelay(name);
        };
    }
}

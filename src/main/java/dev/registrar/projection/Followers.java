package dev.registrar.projection;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The views and automations of an application by their names, in the order in which they were given. */
final class Followers {
    private final Map<String, Follower> byName = new LinkedHashMap<>();

    /** Checks that each name is allowed and that no two are the same. */
    Followers(Collection<? extends Follower> followers) {
        for (Follower follower : new ArrayList<>(followers)) {
            if (!follower.name().matches(Follower.NAME)) {
                throw new IllegalArgumentException(
                        "A projection's name matches %s but was '%s'".formatted(Follower.NAME, follower.name()));
            }
            if (byName.put(follower.name(), follower) != null) {
                throw new IllegalArgumentException("Two projections are called '%s'".formatted(follower.name()));
            }
        }
    }

    Collection<Follower> all() {
        return Collections.unmodifiableCollection(byName.values());
    }

    List<String> names() {
        return List.copyOf(byName.keySet());
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** The view or automation of a name. */
    Follower named(String name) {
        Follower follower = byName.get(name);
        if (follower == null) {
            throw new UnknownProjectionException(name);
        }
        return follower;
    }

    /**
     * The view of a name.
     *
     * @throws NotRebuildableException if it is an automation
     */
    View view(String name) {
        return switch (named(name)) {
            case View view -> view;
            case Automation automation -> throw NotRebuildableException.ofAutomation(name);
        };
    }
}

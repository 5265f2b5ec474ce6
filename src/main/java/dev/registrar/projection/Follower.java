package dev.registrar.projection;

import dev.registrar.eventstore.Query;

/** Follows the log from a checkpoint of its own: a view, which keeps rows, or an automation, which gives commands. */
public sealed interface Follower permits View, Automation {
    /** What a follower may be called: its tables are named after it. */
    String NAME = "[a-z][a-z0-9-]{0,29}";

    /** Its name, which no other follower has and which never changes; it matches {@link #NAME}. */
    String name();

    /** Which events it follows. */
    Query query();

    /** 1 or more; raised whenever the same events would lead to something else. */
    int version();
}

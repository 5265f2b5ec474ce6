package dev.registrar.http.dcb;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the event store's API.
 *
 * @param lockTags whether an event's tags that begin with {@code lock:} name resources that the append locks, and are
 *     not stored; if not, they are tags like all others
 */
@ConfigurationProperties("registrar.dcb")
record DcbSettings(@DefaultValue("false") boolean lockTags) {}

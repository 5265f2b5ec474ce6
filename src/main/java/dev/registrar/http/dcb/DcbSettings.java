package dev.registrar.http.dcb;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the event store's API.
 *
 * @param lockTags whether a tag of an event that begins with lock: names a resource that the append locks, and is not
 *     stored; if not, it is a tag like any other
 */
@ConfigurationProperties("registrar.dcb")
record DcbSettings(@DefaultValue("false") boolean lockTags) {}

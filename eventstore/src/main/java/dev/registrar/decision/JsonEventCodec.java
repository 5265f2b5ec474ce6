package dev.registrar.decision;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stores the events of a sealed interface as JSON objects. Requires Jackson 3 on the class path. The type of an event
 * is the simple name of its class, unless {@link #named} changes it.
 *
 * <p>Events that were stored in an earlier form stay readable:
 *
 * <ul>
 *   <li>{@link #formerly} adds a type name under which an event was stored before its class was renamed. Queries for
 *       the class match both names.
 *   <li>{@link #upcast} converts a payload from one version to the next. The payload contains its version as
 *       {@code "@version"}; a payload without it has version 1.
 * </ul>
 *
 * <p>Properties of a payload that the class does not have are ignored, so a later version can add properties without a
 * conversion step. A payload of a version that the codec does not know yet causes a {@link NewerEventException}. An
 * event is unreadable if the constructor of its record throws an exception, or a property would lose something, such as
 * the fraction of a number in an {@code int}.
 *
 * <p>An event is read back as it was: {@link #encode} reads what it has written, and refuses an event that would come
 * back as another one or not at all. Numbers keep their digits in properties of their own type ({@code BigDecimal},
 * {@code BigInteger}), not in those of type {@code Object}. Numbers of more than 1,000 digits cannot be read.
 *
 * <p>Instances of two versions can run side by side while a type is renamed, if the first release reads both names and
 * still writes the old one: {@code named(BookLent.class, "BookIssued").formerly(BookLent.class, "BookLent")}. When
 * payloads get a new version, older instances fail on new events.
 *
 * <p>A codec is immutable: each method returns a new one. Keep it in a constant, because facts share a cached state
 * only if they use the same codec instance.
 *
 * <pre>{@code
 * static final JsonEventCodec<DeskEvent> CODEC = JsonEventCodec.of(DeskEvent.class, DeskEvent::tags)
 *         .formerly(BookLent.class, "BookIssued")
 *         .upcast(BookLent.class, 1, payload -> payload.put("days", 14));
 * }</pre>
 *
 * @param <E> the domain's events
 */
public final class JsonEventCodec<E> implements EventCodec<E> {
    private static final String VERSION = "@version";
    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // Times keep their offset and zone.
            .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
            .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE, DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
            .build();

    private final Class<E> events;
    private final Function<? super E, ? extends Collection<Tag>> tags;
    private final JsonMapper json;
    private final ObjectReader trees;
    private final Map<Class<?>, Format<E>> formats;
    private final Map<String, Format<E>> formatsByType = new HashMap<>();
    private final Map<Class<?>, Set<String>> typesByClass = new ConcurrentHashMap<>();
    private final boolean renamed;

    /**
     * The stored form of one class of events.
     *
     * @param type the type name under which events are stored
     * @param formerTypes the type names under which events were stored before
     * @param upcasts the conversion steps from one version of the payload to the next; the first step converts version
     *     1
     */
    private record Format<E>(
            Class<? extends E> event, String type, Set<String> formerTypes, List<UnaryOperator<ObjectNode>> upcasts) {
        int version() {
            return upcasts.size() + 1;
        }

        /** The end of a payload of the current version that has other properties. */
        String end() {
            return upcasts.isEmpty() ? "}" : "," + versionAndEnd();
        }

        String versionAndEnd() {
            return "\"" + VERSION + "\":" + version() + "}";
        }

        Set<String> allTypes() {
            Set<String> all = new LinkedHashSet<>();
            all.add(type);
            all.addAll(formerTypes);
            return all;
        }
    }

    private JsonEventCodec(
            Class<E> events,
            Function<? super E, ? extends Collection<Tag>> tags,
            JsonMapper json,
            Map<Class<?>, Format<E>> formats) {
        this.events = events;
        this.tags = tags;
        this.json = json;
        // The tree of a payload keeps the digits of numbers, whatever the mapper does.
        this.trees = json.reader()
                .with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .without(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES);
        this.formats = formats;
        for (Format<E> format : formats.values()) {
            for (String type : format.allTypes()) {
                Format<E> other = formatsByType.putIfAbsent(type, format);
                if (other != null) {
                    throw new IllegalArgumentException("Two event classes have the same type name '%s': %s and %s"
                            .formatted(
                                    type,
                                    other.event().getName(),
                                    format.event().getName()));
                }
            }
        }
        this.renamed = formats.values().stream()
                .anyMatch(format -> !format.formerTypes().isEmpty());
    }

    /**
     * A codec for all classes that a sealed interface permits, directly or through nested sealed interfaces.
     *
     * @param tags the tags of an event, by which facts query it
     * @throws IllegalArgumentException if a class is neither sealed nor concrete, or two classes have the same simple
     *     name
     */
    public static <E> JsonEventCodec<E> of(Class<E> events, Function<? super E, ? extends Collection<Tag>> tags) {
        return of(events, tags, JSON);
    }

    /** A codec for all classes that a sealed interface permits, with a JSON mapper of the domain's own. */
    public static <E> JsonEventCodec<E> of(
            Class<E> events, Function<? super E, ? extends Collection<Tag>> tags, JsonMapper json) {
        Map<Class<?>, Format<E>> formats = new LinkedHashMap<>();
        for (Class<? extends E> event : concrete(events)) {
            formats.put(event, new Format<>(event, event.getSimpleName(), Set.of(), List.of()));
        }
        return new JsonEventCodec<>(events, tags, json, formats);
    }

    @SuppressWarnings("unchecked") // a permitted subclass is a subclass
    private static <E> Set<Class<? extends E>> concrete(Class<? extends E> type) {
        Set<Class<? extends E>> found = new LinkedHashSet<>();
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                found.addAll(concrete((Class<? extends E>) permitted));
            }
        }
        if (!Modifier.isAbstract(type.getModifiers())) {
            found.add(type);
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s is neither sealed nor concrete, so its events cannot be listed; seal it or make it a concrete class"
                            .formatted(type.getName()));
        }
        return found;
    }

    /**
     * Stores an event class under a type name other than its simple name.
     *
     * @throws IllegalArgumentException if the class is not an event of the domain, or the name belongs to another event
     */
    public JsonEventCodec<E> named(Class<? extends E> event, String type) {
        Format<E> format = format(event);
        return with(new Format<>(format.event(), type, format.formerTypes(), format.upcasts()));
    }

    /**
     * Adds type names under which an event class was stored before.
     *
     * @throws IllegalArgumentException if the class is not an event of the domain, or a name belongs to another event
     */
    public JsonEventCodec<E> formerly(Class<? extends E> event, String... types) {
        Format<E> format = format(event);
        Set<String> all = new LinkedHashSet<>(format.formerTypes());
        all.addAll(List.of(types));
        if (all.contains(format.type())) {
            throw new IllegalArgumentException(
                    "'%s' is the current type name of %s and cannot be a former one".formatted(format.type(), event));
        }
        return with(new Format<>(format.event(), format.type(), inOrder(all), format.upcasts()));
    }

    /**
     * Adds a conversion step from one version of a payload to the next. New payloads have the version after the last
     * step.
     *
     * @param version the version that the step converts: 1 for the first step of an event, then 2 and so on
     * @param step a pure function that modifies the payload or returns a new one
     * @throws IllegalArgumentException if the class is not an event of the domain, or the version is not the next one
     */
    public JsonEventCodec<E> upcast(Class<? extends E> event, int version, UnaryOperator<ObjectNode> step) {
        Format<E> format = format(event);
        if (version != format.version()) {
            throw new IllegalArgumentException(
                    "The next conversion step of %s must be from version %s but is from version %s"
                            .formatted(event.getSimpleName(), format.version(), version));
        }
        List<UnaryOperator<ObjectNode>> steps = new ArrayList<>(format.upcasts());
        steps.add(step);
        return with(new Format<>(format.event(), format.type(), format.formerTypes(), List.copyOf(steps)));
    }

    private JsonEventCodec<E> with(Format<E> format) {
        Map<Class<?>, Format<E>> changed = new LinkedHashMap<>(formats);
        changed.put(format.event(), format);
        return new JsonEventCodec<>(events, tags, json, changed);
    }

    private Format<E> format(Class<?> event) {
        Format<E> format = formats.get(event);
        if (format == null) {
            throw new IllegalArgumentException(
                    "%s is not an event of %s".formatted(event.getName(), events.getSimpleName()));
        }
        return format;
    }

    /**
     * A query item for event classes, with their current and former type names. A sealed interface stands for all
     * classes that it permits, so a {@code switch} over it covers what the item matches.
     *
     * @throws IllegalArgumentException if a class is not an event of the domain
     */
    @SafeVarargs
    public final QueryItem types(Class<? extends E>... classes) {
        Set<String> types = new LinkedHashSet<>();
        for (Class<? extends E> each : classes) {
            // Every decision asks for the types of its facts, and the JDK keeps no list of permitted classes.
            types.addAll(typesByClass.computeIfAbsent(each, this::typesOf));
        }
        return QueryItem.of(types, List.of());
    }

    @SuppressWarnings("unchecked") // its keys are classes of events
    private Set<String> typesOf(Class<?> event) {
        Set<String> types = new LinkedHashSet<>();
        for (Class<? extends E> each : concrete((Class<? extends E>) event)) {
            types.addAll(format(each).allTypes());
        }
        return types;
    }

    @Override
    public Query withFormerTypes(Query query) {
        if (!renamed) {
            return query;
        }
        return new Query(query.items().stream().map(this::withFormerTypes).toList());
    }

    private QueryItem withFormerTypes(QueryItem item) {
        Set<String> types = new LinkedHashSet<>();
        for (String type : item.types()) {
            types.add(type);
            Format<E> format = formatsByType.get(type);
            if (format != null) {
                types.addAll(format.allTypes());
            }
        }
        return types.size() == item.types().size() ? item : QueryItem.of(types, item.tags());
    }

    /** @throws IllegalArgumentException if the event would not be read back equal */
    @Override
    public Encoded encode(E event) {
        Format<E> format = format(event.getClass());
        String payload = write(format, event);
        requireReadable(format, event, payload);
        return new Encoded(format.type(), inOrder(tags.apply(event)), payload);
    }

    private String write(Format<E> format, E event) {
        String written = json.writeValueAsString(event);
        if (!isObject(written)) {
            throw new IllegalArgumentException(
                    "A '%s' event must be written as a JSON object, but its JSON is another value"
                            .formatted(format.type()));
        }
        if (format.version() == 1) {
            return written;
        }
        String properties = written.substring(0, written.lastIndexOf('}'));
        return properties + (properties.substring(1).isBlank() ? format.versionAndEnd() : format.end());
    }

    private void requireReadable(Format<E> format, E event, String payload) {
        E read;
        try {
            read = decode(format.type(), payload);
        } catch (IllegalArgumentException unreadable) {
            throw new IllegalArgumentException(
                    "A '%s' event cannot be stored: its JSON could not be read".formatted(format.type()), unreadable);
        }
        if (read.equals(event)) {
            return;
        }
        // Two equal payloads are read as different events if a value has no equals, such as an array.
        boolean isComparable = read.equals(decode(format.type(), payload));
        if (isComparable || !write(format, read).equals(payload)) {
            throw new IllegalArgumentException("A '%s' event cannot be stored: it would be read with other values of %s"
                    .formatted(format.type(), differences(event, read)));
        }
    }

    private String differences(E event, E read) {
        JsonNode written = json.valueToTree(event);
        JsonNode again = json.valueToTree(read);
        List<String> names = written.propertyNames().stream()
                .filter(name -> !written.get(name).equals(again.get(name)))
                .toList();
        return names.isEmpty()
                ? "another type (a property of type Object cannot hold, for example, a UUID or a BigDecimal)"
                : String.join(", ", names);
    }

    @Override
    public E decode(String type, String payload) {
        Format<E> format = formatsByType.get(type);
        if (format == null) {
            throw new UnknownEventTypeException(events.getSimpleName(), type);
        }
        String current = current(format, type, payload);
        if (current == null) {
            ObjectNode upgraded = upcast(format, parse(type, payload));
            return read(type, () -> json.treeToValue(upgraded, format.event()));
        }
        return read(type, () -> json.readValue(current, format.event()));
    }

    /*
     * The properties of a payload of the current version, as it was written; null if it must be read as a tree. A tree
     * takes more time, and does not keep the sign of a zero.
     */
    private @Nullable String current(Format<?> format, String type, String payload) {
        String end = format.end();
        if (!isObject(payload) || !payload.endsWith(end)) {
            return null;
        }
        String properties =
                format.version() == 1 ? payload : payload.substring(0, payload.length() - end.length()) + "}";
        // A text or a nested property may contain the name, too.
        boolean hasVersion =
                properties.contains(VERSION) && parse(type, properties).has(VERSION);
        return hasVersion ? null : properties;
    }

    private static boolean isObject(String payload) {
        return payload.startsWith("{");
    }

    private E read(String type, Supplier<? extends E> reading) {
        try {
            return reading.get();
        } catch (RuntimeException failure) {
            throw unreadable(type, failure);
        }
    }

    private ObjectNode parse(String type, String payload) {
        try {
            if (trees.readTree(payload) instanceof ObjectNode object) {
                return object;
            }
        } catch (RuntimeException failure) {
            throw unreadable(type, failure);
        }
        throw new IllegalArgumentException("The payload of a '%s' event is not a JSON object".formatted(type));
    }

    private ObjectNode upcast(Format<E> format, ObjectNode payload) {
        JsonNode stored = payload.remove(VERSION);
        int version = stored == null ? 1 : stored.isInt() ? stored.intValue() : 0;
        if (version < 1) {
            throw new IllegalArgumentException(
                    "The payload version of a '%s' event must be 1 or more but is %s".formatted(format.type(), stored));
        }
        if (version > format.version()) {
            throw new NewerEventException(
                    "A '%s' event has payload version %s, but this instance reads versions up to %s; upgrade it"
                            .formatted(format.type(), version, format.version()));
        }
        ObjectNode current = payload;
        for (UnaryOperator<ObjectNode> step :
                format.upcasts().subList(version - 1, format.upcasts().size())) {
            try {
                current = step.apply(current);
            } catch (RuntimeException failure) {
                throw unreadable(format.type(), failure);
            }
        }
        return current;
    }

    private static <T> Set<T> inOrder(Collection<T> elements) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(elements));
    }

    /* The message omits the payload, which may contain personal data; the cause names the field. */
    private static IllegalArgumentException unreadable(String type, RuntimeException cause) {
        return new IllegalArgumentException("The payload of a '%s' event cannot be read".formatted(type), cause);
    }
}

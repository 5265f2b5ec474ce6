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
import java.util.function.UnaryOperator;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
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
    private final Map<Class<?>, EventForm<E>> forms;
    private final Map<String, EventForm<E>> formsByType = new HashMap<>();
    private final Map<Class<?>, Set<String>> typesByClass = new ConcurrentHashMap<>();
    private final boolean renamed;

    private JsonEventCodec(
            Class<E> events,
            Function<? super E, ? extends Collection<Tag>> tags,
            JsonMapper json,
            Map<Class<?>, EventForm<E>> forms) {
        this.events = events;
        this.tags = tags;
        this.json = json;
        this.forms = forms;
        for (EventForm<E> form : forms.values()) {
            for (String type : form.allTypes()) {
                EventForm<E> other = formsByType.putIfAbsent(type, form);
                if (other != null) {
                    throw new IllegalArgumentException("Two event classes have the same type name '%s': %s and %s"
                            .formatted(
                                    type, other.event().getName(), form.event().getName()));
                }
            }
        }
        this.renamed =
                forms.values().stream().anyMatch(form -> !form.formerTypes().isEmpty());
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
        Map<Class<?>, EventForm<E>> forms = new LinkedHashMap<>();
        for (Class<? extends E> event : concrete(events)) {
            forms.put(event, new EventForm<>(event, event.getSimpleName(), Set.of(), List.of(), json));
        }
        return new JsonEventCodec<>(events, tags, json, forms);
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
        EventForm<E> form = form(event);
        return with(new EventForm<>(form.event(), type, form.formerTypes(), form.upcasts(), json));
    }

    /**
     * Adds type names under which an event class was stored before.
     *
     * @throws IllegalArgumentException if the class is not an event of the domain, or a name belongs to another event
     */
    public JsonEventCodec<E> formerly(Class<? extends E> event, String... types) {
        EventForm<E> form = form(event);
        Set<String> all = new LinkedHashSet<>(form.formerTypes());
        all.addAll(List.of(types));
        if (all.contains(form.type())) {
            throw new IllegalArgumentException(
                    "'%s' is the current type name of %s and cannot be a former one".formatted(form.type(), event));
        }
        return with(new EventForm<>(form.event(), form.type(), inOrder(all), form.upcasts(), json));
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
        EventForm<E> form = form(event);
        if (version != form.version()) {
            throw new IllegalArgumentException(
                    "The next conversion step of %s must be from version %s but is from version %s"
                            .formatted(event.getSimpleName(), form.version(), version));
        }
        List<UnaryOperator<ObjectNode>> steps = new ArrayList<>(form.upcasts());
        steps.add(step);
        return with(new EventForm<>(form.event(), form.type(), form.formerTypes(), List.copyOf(steps), json));
    }

    private JsonEventCodec<E> with(EventForm<E> form) {
        Map<Class<?>, EventForm<E>> changed = new LinkedHashMap<>(forms);
        changed.put(form.event(), form);
        return new JsonEventCodec<>(events, tags, json, changed);
    }

    private EventForm<E> form(Class<?> event) {
        EventForm<E> form = forms.get(event);
        if (form == null) {
            throw new IllegalArgumentException(
                    "%s is not an event of %s".formatted(event.getName(), events.getSimpleName()));
        }
        return form;
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
            types.addAll(form(each).allTypes());
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
            EventForm<E> form = formsByType.get(type);
            if (form != null) {
                types.addAll(form.allTypes());
            }
        }
        return types.size() == item.types().size() ? item : QueryItem.of(types, item.tags());
    }

    /** @throws IllegalArgumentException if the event would not be read back equal */
    @Override
    public Encoded encode(E event) {
        EventForm<E> form = form(event.getClass());
        return new Encoded(form.type(), inOrder(tags.apply(event)), form.write(event));
    }

    @Override
    public E decode(String type, String payload) {
        EventForm<E> form = formsByType.get(type);
        if (form == null) {
            throw new UnknownEventTypeException(events.getSimpleName(), type);
        }
        return form.read(type, payload);
    }

    private static <T> Set<T> inOrder(Collection<T> elements) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(elements));
    }
}

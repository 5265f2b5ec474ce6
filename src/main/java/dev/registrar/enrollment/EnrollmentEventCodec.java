package dev.registrar.enrollment;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.IgnoringCodec;
import dev.registrar.decision.JsonEventCodec;
import dev.registrar.decision.NewerEventException;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CourseEvent;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.PersonalEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentEvent;
import dev.registrar.enrollment.WeeklyTimes.Meeting;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagSecret;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdConvertingDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdConvertingSerializer;
import tools.jackson.databind.type.TypeFactory;
import tools.jackson.databind.util.Converter;

/**
 * The stored form of the events: the type is the event's name, the payload a flat JSON object. Unknown fields of a
 * payload are ignored, so that a later version may add fields. Texts and instants are read as they are stored, even if
 * the current commands would refuse them. Decisions ignore an event that cannot be read: clients of the store's own API
 * may append under the domain's types, and must not stop the decisions on a course.
 */
public final class EnrollmentEventCodec implements EventCodec<EnrollmentEvent> {
    private static final JsonEventCodec<EnrollmentEvent> JSON =
            JsonEventCodec.of(EnrollmentEvent.class, EnrollmentEvent::tags, mapper());

    /** The types of all events of the domain. Where callers have a login, only the domain itself appends them. */
    public static final Set<String> TYPES = types(EnrollmentEvent.class).types();

    private static final String ERASED_SUBJECT = "erased";

    private final @Nullable TagSecret secret;
    private final EventCodec<EnrollmentEvent> ignoring;

    /** A codec without a secret, for events that stay in memory: the tags of addresses are plain hashes. */
    public EnrollmentEventCodec() {
        this(new CompositeMeterRegistry(), null);
    }

    /**
     * A codec for a store.
     *
     * @param metrics counts the events that decisions ignore
     */
    public EnrollmentEventCodec(MeterRegistry metrics, @Nullable TagSecret secret) {
        this.secret = secret;
        this.ignoring = new IgnoringCodec<>(this, metrics);
    }

    /** A query item for some events: their classes, or sealed interfaces of them. */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public static QueryItem types(Class<? extends EnrollmentEvent>... events) {
        return JSON.types(events);
    }

    /* Facts name the plain hash of an address, and the store has the tag that is made of it under the secret. */
    @Override
    public Query withFormerTypes(Query query) {
        Query known = JSON.withFormerTypes(query);
        return known.items().stream().flatMap(item -> item.tags().stream()).anyMatch(EmailAddress::isTag)
                ? new Query(known.items().stream()
                        .map(item -> QueryItem.of(item.types(), stored(item.tags())))
                        .toList())
                : known;
    }

    private Set<Tag> stored(Set<Tag> tags) {
        if (secret == null) {
            return tags;
        }
        Set<Tag> stored = new LinkedHashSet<>();
        for (Tag tag : tags) {
            stored.add(EmailAddress.isTag(tag) ? secret.tag(EmailAddress.KIND, tag.value()) : tag);
        }
        return Collections.unmodifiableSet(stored);
    }

    @Override
    public Optional<EnrollmentEvent> decodeForDecision(SequencedEvent stored) {
        return ignoring.decodeForDecision(stored);
    }

    @Override
    public Encoded encode(EnrollmentEvent event) {
        Encoded plain = JSON.encode(event);
        return new Encoded(plain.type(), stored(plain.tags()), plain.payload());
    }

    /** Names, addresses and the reasons of overrides are personal, and the tags of addresses. */
    @Override
    public Masked<EnrollmentEvent> masked(EnrollmentEvent event) {
        return event instanceof PersonalEvent personal
                ? new Masked<>(
                        personal.masked(),
                        encode(event).tags().stream()
                                .filter(EmailAddress::isTag)
                                .collect(Collectors.toSet()))
                : new Masked<>(event, Set.of());
    }

    /**
     * As that of every codec. In addition each tag of an address goes, also of an event that was masked before. A
     * student who acted without the office was named by the issuer of logins, and is not named any more.
     */
    @Override
    public Masking masking() {
        Masking ofPayload = EventCodec.super.masking();
        return stored -> {
            Masking.Masked masked = ofPayload.mask(stored);
            return new Masking.Masked(
                    masked.payload(),
                    masked.metadata(),
                    masked(masked.actor()),
                    stored.event().tags().stream().filter(EmailAddress::isTag).collect(Collectors.toSet()));
        };
    }

    private static @Nullable Actor masked(@Nullable Actor actor) {
        return actor == null || actor.onBehalfOf() != null || actor.issuer().equals(Actor.APPLICATION)
                ? actor
                : Actor.of(actor.issuer(), ERASED_SUBJECT);
    }

    @Override
    public EnrollmentEvent decode(String type, String payload) {
        try {
            return JSON.decode(type, payload);
        } catch (NewerEventException versioned) {
            // Payloads of the domain have no versions yet, so another client has stored this one.
            throw new IllegalArgumentException("A '%s' event has no payload versions".formatted(type), versioned);
        }
    }

    /**
     * Decodes a stored event. Its tags must name exactly the course and the student in its payload, so that queries by
     * tags and the payload agree.
     *
     * @throws IllegalArgumentException if the tags and the payload disagree, or the payload cannot be read
     */
    @Override
    public EnrollmentEvent decode(Event stored) {
        EnrollmentEvent event = decode(stored.type(), stored.payload());
        String course =
                event instanceof CourseEvent ofCourse ? ofCourse.course().value() : null;
        String student =
                event instanceof StudentEvent ofStudent ? ofStudent.student().value() : null;
        if (!isOnlyTagged(stored, CourseId.KIND, course) || !isOnlyTagged(stored, StudentId.KIND, student)) {
            throw new IllegalArgumentException(
                    "The tags of a %s name another course or student than its payload".formatted(stored.type()));
        }
        return event;
    }

    /* Compares without making a tag, because every fold does this for every event. */
    private static boolean isOnlyTagged(Event stored, String kind, @Nullable String id) {
        int tags = 0;
        for (Tag tag : stored.tags()) {
            String value = tag.value();
            if (value.startsWith(kind)) {
                if (id == null || value.length() != kind.length() + id.length() || !value.endsWith(id)) {
                    return false;
                }
                tags++;
            }
        }
        return id == null || tags == 1;
    }

    /* The values' own checks are those of commands; the service's other mappers must not read values as stored ones. */
    private static JsonMapper mapper() {
        StoredForms forms = new StoredForms();
        forms.add(CourseId.class, String.class, CourseId::value, CourseId::new);
        forms.add(StudentId.class, String.class, StudentId::value, StudentId::new);
        forms.add(CourseTitle.class, String.class, CourseTitle::value, CourseTitle::stored);
        forms.add(StudentName.class, String.class, StudentName::value, StudentName::stored);
        forms.add(EmailAddress.class, String.class, EmailAddress::value, EmailAddress::stored);
        forms.add(OverrideReason.class, String.class, OverrideReason::value, OverrideReason::stored);
        forms.add(Tier.class, String.class, Tier::code, Tier::of);
        forms.add(Capacity.class, int.class, Capacity::seats, Capacity::new);
        forms.add(
                Prerequisites.class,
                new TypeReference<List<String>>() {}.getType(),
                Prerequisites::ids,
                Prerequisites::of);
        forms.add(
                WeeklyTimes.class,
                new TypeReference<List<StoredMeeting>>() {}.getType(),
                StoredMeeting::of,
                StoredMeeting::times);
        forms.add(CourseDefined.class, Definition.class, Definition::of, Definition::event);
        forms.add(EnrollmentWindowChanged.class, NewWindow.class, NewWindow::of, NewWindow::event);
        return forms.mapper();
    }

    /** The stored form of a {@link CourseDefined}, in which the window has no object of its own. */
    private record Definition(
            CourseId courseId,
            CourseTitle title,
            Capacity capacity,
            @Nullable Instant opensAt,
            @Nullable Instant closesAt,

            // Absent if the course has no prerequisites, and from events that are older than prerequisites.
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable List<String> prerequisites,

            // Absent if the course has no weekly times, and from events that are older than these.
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @Nullable List<StoredMeeting> times) {
        static Definition of(CourseDefined defined) {
            return new Definition(
                    defined.course(),
                    defined.title(),
                    defined.capacity(),
                    defined.window().opensAt(),
                    defined.window().closesAt(),
                    defined.prerequisites().ids(),
                    StoredMeeting.of(defined.times()));
        }

        CourseDefined event() {
            return new CourseDefined(
                    courseId,
                    title,
                    capacity,
                    EnrollmentWindow.stored(opensAt, closesAt),
                    prerequisites == null ? Prerequisites.NONE : Prerequisites.of(prerequisites),
                    times == null ? WeeklyTimes.NONE : StoredMeeting.times(times));
        }
    }

    /** The stored form of a meeting. */
    private record StoredMeeting(
            @Nullable String day,
            @Nullable String from,
            @Nullable String to) {
        static List<StoredMeeting> of(WeeklyTimes times) {
            return times.meetings().stream()
                    .map(each ->
                            new StoredMeeting(each.day().name(), each.from().toString(), each.end()))
                    .toList();
        }

        static WeeklyTimes times(List<StoredMeeting> meetings) {
            return new WeeklyTimes(meetings.stream().map(StoredMeeting::meeting).toList());
        }

        private static Meeting meeting(@Nullable StoredMeeting stored) {
            if (stored == null || stored.day == null || stored.from == null || stored.to == null) {
                throw new IllegalArgumentException("A meeting has a day, a beginning and an end");
            }
            try {
                return Meeting.of(DayOfWeek.valueOf(stored.day), stored.from, stored.to);
            } catch (DateTimeException noTime) {
                throw new IllegalArgumentException("A meeting begins and ends at a time such as 10:00", noTime);
            }
        }
    }

    /** The stored form of an {@link EnrollmentWindowChanged}: the fields of a {@link Definition}. */
    private record NewWindow(
            CourseId courseId,
            @Nullable Instant opensAt,
            @Nullable Instant closesAt) {
        static NewWindow of(EnrollmentWindowChanged changed) {
            return new NewWindow(
                    changed.course(),
                    changed.window().opensAt(),
                    changed.window().closesAt());
        }

        EnrollmentWindowChanged event() {
            return new EnrollmentWindowChanged(courseId, EnrollmentWindow.stored(opensAt, closesAt));
        }
    }

    /** Types that are written and read as another one. Their values must not be missing or null. */
    private static final class StoredForms {
        private final SimpleModule module = new SimpleModule();
        private final JsonMapper.Builder mapper = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT);

        <V, J> void add(Class<V> type, Type form, Function<V, J> write, Function<J, V> read) {
            module.addSerializer(type, new StdConvertingSerializer(type, new Conversion<>(type, form, write)));
            module.addDeserializer(type, new StdConvertingDeserializer<>(new Conversion<>(form, type, read)));
            mapper.withConfigOverride(
                    type, values -> values.setNullHandling(JsonSetter.Value.forValueNulls(Nulls.FAIL)));
        }

        JsonMapper mapper() {
            return mapper.addModule(module).build();
        }
    }

    private record Conversion<I, O>(Type input, Type output, Function<I, O> function) implements Converter<I, O> {

        @Override
        public O convert(DeserializationContext context, I value) {
            return function.apply(value);
        }

        @Override
        public O convert(SerializationContext context, I value) {
            return function.apply(value);
        }

        @Override
        public JavaType getInputType(TypeFactory types) {
            return types.constructType(input);
        }

        @Override
        public JavaType getOutputType(TypeFactory types) {
            return types.constructType(output);
        }
    }
}

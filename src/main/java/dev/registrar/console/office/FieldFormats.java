package dev.registrar.console.office;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.Tier;
import dev.registrar.enrollment.WeeklyTimes;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.format.Formatter;
import org.springframework.format.FormatterRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** How the fields of forms are read into the domain's values, and shown again. An empty optional field is null. */
@Configuration(proxyBeanMethods = false)
class FieldFormats implements WebMvcConfigurer {
    @Override
    public void addFormatters(FormatterRegistry formats) {
        optional(formats, CourseId.class, CourseId::new, CourseId::value);
        optional(formats, StudentId.class, StudentId::new, StudentId::value);
        optional(formats, Prerequisites.class, FieldFormats::prerequisites, Prerequisites::toString);
        optional(formats, WeeklyTimes.class, WeeklyTimes::of, WeeklyTimes::toString);
        optional(formats, Tier.class, Tier::of, Tier::code);
        optional(formats, ZoneId.class, ZoneId::of, ZoneId::getId);
        optional(formats, OverrideReason.class, OverrideReason::new, OverrideReason::value);
        // A browser without a picker for times lets a person type one, with a space in it.
        optional(
                formats,
                LocalDateTime.class,
                text -> LocalDateTime.parse(text.replace(' ', 'T')),
                LocalDateTime::toString);
        required(formats, CourseTitle.class, CourseTitle::new, CourseTitle::value);
        required(formats, Capacity.class, FieldFormats::capacity, FieldFormats::seats);
        required(formats, StudentName.class, StudentName::new, StudentName::value);
        required(formats, EmailAddress.class, EmailAddress::new, EmailAddress::value);
    }

    private record Format<V>(Function<String, V> read, Function<V, String> show) implements Formatter<V> {
        @Override
        public V parse(String text, Locale locale) {
            return read.apply(text.strip());
        }

        @Override
        public String print(V value, Locale locale) {
            return show.apply(value);
        }
    }

    private static <V> void optional(
            FormatterRegistry formats, Class<V> type, Function<String, V> read, Function<V, String> show) {
        formats.addFormatterForFieldType(type, new Format<>(read, show));
    }

    /* An empty field is read, too, and so has the error of its type. */
    private static <V> void required(
            FormatterRegistry formats, Class<V> type, Function<String, V> read, Function<V, String> show) {
        formats.addConverter(String.class, type, text -> read.apply(text.strip()));
        formats.addConverter(type, String.class, show::apply);
    }

    /** A stored text as a form shows it; null if it was stored before the current bounds and cannot be typed. */
    static <V> @Nullable V typed(String stored, Function<String, V> read) {
        try {
            return read.apply(stored);
        } catch (IllegalArgumentException beyondBounds) {
            return null;
        }
    }

    private static Capacity capacity(String text) {
        if (!text.matches("[0-9]{1,9}")) {
            throw new IllegalArgumentException("A number of seats has 1 to 9 digits but was '%s'".formatted(text));
        }
        return new Capacity(Integer.parseInt(text));
    }

    private static String seats(Capacity capacity) {
        return Integer.toString(capacity.seats());
    }

    /* Ids with spaces, commas or semicolons between them. */
    private static Prerequisites prerequisites(String text) {
        return Prerequisites.of(
                Stream.of(text.split("[\\s,;]+")).filter(id -> !id.isEmpty()).toList());
    }
}

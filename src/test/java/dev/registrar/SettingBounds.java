package dev.registrar;

import dev.registrar.autoconfigure.LibrarySettings;
import dev.registrar.eventstore.KebabCase;
import jakarta.validation.Validation;
import jakarta.validation.Validator;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.unit.DataSize;

/**
 * The bounds of settings, found by trying: the least and the greatest value that the service accepts while all other
 * settings have their defaults.
 */
final class SettingBounds {
    private static final Validator VALIDATOR =
            Validation.buildDefaultValidatorFactory().getValidator();

    private static final Map<String, Scale> SCALES = Map.of(
            "java.lang.Integer", new Scale("", Integer.MAX_VALUE, Long::parseLong, SettingBounds::number),
            "java.lang.Long", new Scale("", Long.MAX_VALUE, Long::parseLong, SettingBounds::number),
            "java.lang.Double", new Scale("", 1L << 40, text -> (long) Double.parseDouble(text), SettingBounds::number),
            "java.time.Duration",
                    new Scale(
                            "ms",
                            Duration.ofDays(100_000).toMillis(),
                            text -> DurationStyle.detectAndParse(text).toMillis(),
                            value -> inLargestUnit(
                                    value, List.of("d", "h", "m", "s", "ms"), 86_400_000, 3_600_000, 60_000, 1_000, 1)),
            "org.springframework.util.unit.DataSize",
                    new Scale(
                            "B",
                            1L << 50,
                            text -> DataSize.parse(text).toBytes(),
                            value -> inLargestUnit(
                                    value, List.of("GB", "MB", "KB", "B"), 1 << 30, 1 << 20, 1 << 10, 1)));

    private final List<Settings> settings;

    /** The bounds of the settings that these records bind, and of those of the library. */
    SettingBounds(List<Class<?>> records) {
        this.settings = Stream.concat(
                        records.stream().map(Settings::of),
                        LibrarySettings.BINDINGS.entrySet().stream()
                                .map(library -> new Settings(library.getKey(), library.getValue())))
                .toList();
    }

    /** What a value must be, such as {@code 1ms to 10m} or {@code stop, skip}; empty if any value of the type is. */
    String of(String name, String type, String defaultValue) {
        Object[] constants = constants(type);
        if (constants.length > 0) {
            return Arrays.stream(constants)
                    .map(constant -> "`%s`".formatted(KebabCase.of((Enum<?>) constant)))
                    .collect(Collectors.joining(", "));
        }
        Scale scale = SCALES.get(type);
        List<Settings> bound = settings.stream()
                .filter(those -> name.startsWith(those.prefix() + "."))
                .toList();
        if (scale == null || bound.isEmpty()) {
            return "";
        }
        LongPredicate accepts = value -> bound.stream().allMatch(those -> those.accept(name, value + scale.unit()));
        return range(scale, accepts, scale.value().applyAsLong(defaultValue));
    }

    private static String range(Scale scale, LongPredicate accepts, long accepted) {
        if (accepts.test(-1)) {
            return "";
        }
        String least = scale.text().apply(least(accepts, accepted));
        return accepts.test(scale.most())
                ? "at least " + least
                : "%s to %s".formatted(least, scale.text().apply(last(accepts, accepted, scale.most())));
    }

    private static long least(LongPredicate accepts, long accepted) {
        for (long small = 0; small < Math.min(2, accepted); small++) {
            if (accepts.test(small)) {
                return small;
            }
        }
        return -last(value -> accepts.test(-value), -accepted, 0);
    }

    /* The last of the values from an accepted one to a refused one that is accepted, if those after it are refused. */
    private static long last(LongPredicate accepts, long accepted, long refused) {
        while (refused - accepted > 1) {
            long middle = accepted + (refused - accepted) / 2;
            if (accepts.test(middle)) {
                accepted = middle;
            } else {
                refused = middle;
            }
        }
        return accepted;
    }

    private static Object[] constants(String type) {
        try {
            Object[] constants = Class.forName(type).getEnumConstants();
            return constants == null ? new Object[0] : constants;
        } catch (ClassNotFoundException generic) {
            return new Object[0];
        }
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String inLargestUnit(long value, List<String> units, long... sizes) {
        int unit = 0;
        while (value % sizes[unit] != 0) {
            unit++;
        }
        return value == 0 ? "0" : value / sizes[unit] + units.get(unit);
    }

    /* Settings with the same prefix, and what binds them and refuses values that are out of bounds. */
    private record Settings(String prefix, Consumer<Binder> binding) {
        static Settings of(Class<?> record) {
            String prefix = MergedAnnotations.from(record)
                    .get(ConfigurationProperties.class)
                    .getString("prefix");
            return new Settings(prefix, binder -> bind(binder, prefix, record));
        }

        private static void bind(Binder binder, String prefix, Class<?> record) {
            Object candidate = binder.bindOrCreate(prefix, record);
            if (!VALIDATOR.validate(candidate).isEmpty()) {
                throw new IllegalArgumentException("%s is out of bounds".formatted(candidate));
            }
        }

        boolean accept(String name, String value) {
            try {
                binding.accept(new Binder(new MapConfigurationPropertySource(Map.of(name, value))));
                return true;
            } catch (BindException | BeanInstantiationException | IllegalArgumentException refused) {
                return false;
            }
        }
    }

    /* How values of a type are written, up to where bounds are looked for, and how they are read and shown. */
    private record Scale(String unit, long most, ToLongFunction<String> value, LongFunction<String> text) {}
}

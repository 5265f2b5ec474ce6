package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.registrar.eventstore.Tag;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link JsonEventCodec} encodes is read back equal, or it is refused. */
class JsonEventCodecRoundTripTest {
    private static final JsonEventCodec<Fact> PLAIN = JsonEventCodec.of(Fact.class, fact -> List.<Tag>of());
    private static final JsonEventCodec<Fact> VERSIONED = PLAIN.upcast(Numbers.class, 1, payload -> payload)
            .upcast(Times.class, 1, payload -> payload)
            .upcast(Texts.class, 1, payload -> payload)
            .upcast(Structures.class, 1, payload -> payload)
            .upcast(Nothing.class, 1, payload -> payload);

    sealed interface Fact {}

    record Numbers(
            byte one,
            short two,
            int four,
            long eight,
            float single,
            double twice,
            Byte oneOrNot,
            Short twoOrNot,
            Integer fourOrNot,
            Long eightOrNot,
            Float singleOrNot,
            Double twiceOrNot,
            BigInteger big,
            BigDecimal decimal,
            @Nullable BigDecimal maybe,
            OptionalInt optionalInt,
            OptionalLong optionalLong,
            OptionalDouble optionalDouble)
            implements Fact {}

    record Times(
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offsetDateTime,
            OffsetTime offsetTime,
            ZonedDateTime zonedDateTime,
            ZoneId zone,
            ZoneOffset offset,
            Year year,
            YearMonth month,
            MonthDay monthDay,
            DayOfWeek day,
            Duration duration,
            Period period)
            implements Fact {}

    record Texts(
            String text,
            char character,
            boolean flag,
            Boolean maybe,
            UUID id,
            URI uri,
            Locale locale,
            Currency currency,
            Optional<String> optional,
            @Nullable String missing)
            implements Fact {}

    record Structures(
            List<BigDecimal> decimals,
            Set<Instant> instants,
            Map<String, BigInteger> bigs,
            Map<DayOfWeek, Double> days,
            Map<UUID, Name> names,
            List<List<Name>> lists,
            List<@Nullable String> texts,
            Name name,
            Payment payment,
            Optional<Name> optional,
            Object any)
            implements Fact {}

    record Name(String first, @Nullable Name second) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.SIMPLE_NAME)
    sealed interface Payment {}

    record Cash(BigDecimal amount) implements Payment {}

    record Card(String number, YearMonth until) implements Payment {}

    record Nothing() implements Fact {}

    @SuppressWarnings("ArrayRecordComponent")
    record Blobs(byte[] bytes, int[] numbers, String[] texts) implements Fact {}

    record Anything(Object value) implements Fact {}

    record AnyNumber(Number value) implements Fact {}

    record AnyOf(Collection<Integer> values) implements Fact {}

    record Open(Shape shape) implements Fact {}

    interface Shape {}

    record Circle(double radius) implements Shape {}

    record Scalar(@JsonValue String value) implements Fact {}

    record Amount(BigDecimal value) implements Fact {}

    record Count(BigInteger value) implements Fact {}

    record Repeated(int times) implements Fact {}

    /** Makes values of all types, extreme ones more often than they would be by chance. */
    private record Values(Random random) {
        @SafeVarargs
        private <T> T any(Supplier<? extends T>... values) {
            return values[random.nextInt(values.length)].get();
        }

        private long whole() {
            return any(() -> 0L, () -> Long.MAX_VALUE, () -> Long.MIN_VALUE, () -> (1L << 53) + 1, random::nextLong);
        }

        private double floating() {
            return any(
                    () -> -0.0,
                    () -> Double.MAX_VALUE,
                    () -> Double.MIN_VALUE,
                    () -> Double.NaN,
                    () -> Double.NEGATIVE_INFINITY,
                    () -> 14.5,
                    () -> Double.longBitsToDouble(random.nextLong()),
                    random::nextGaussian);
        }

        private float single() {
            return any(
                    () -> -0.0f,
                    () -> Float.MIN_VALUE,
                    () -> Float.NaN,
                    () -> 0.1f,
                    () -> Float.intBitsToFloat(random.nextInt()),
                    random::nextFloat);
        }

        private BigInteger big() {
            return any(() -> BigInteger.valueOf(whole()), () -> new BigInteger(random.nextInt(1, 3_000), random));
        }

        private BigDecimal decimal() {
            return any(
                    () -> new BigDecimal("10.00"),
                    () -> new BigDecimal("12345678901234567.89"),
                    () -> new BigDecimal("1e400"),
                    () -> new BigDecimal("1E+3"),
                    () -> new BigDecimal("0E-12"),
                    () -> new BigDecimal(new BigInteger(200, random), random.nextInt(-30, 30)));
        }

        private Instant instant() {
            return any(
                    () -> Instant.MIN,
                    () -> Instant.MAX,
                    () -> Instant.EPOCH,
                    () -> Instant.ofEpochSecond(random.nextLong(-1L << 36, 1L << 36), random.nextInt(1_000_000_000)));
        }

        private LocalDateTime dateTime() {
            return LocalDateTime.ofEpochSecond(
                    random.nextLong(-1L << 35, 1L << 35),
                    any(() -> 0, () -> 1_000, () -> random.nextInt(1_000_000_000)),
                    ZoneOffset.UTC);
        }

        private ZoneOffset offset() {
            return ZoneOffset.ofTotalSeconds(60 * random.nextInt(-18 * 60, 18 * 60 + 1));
        }

        private ZoneId zone() {
            return any(
                    () -> ZoneId.of("Europe/Paris"),
                    () -> ZoneId.of("Asia/Kathmandu"),
                    () -> ZoneId.of("UTC"),
                    this::offset);
        }

        private String text() {
            return any(
                    () -> "",
                    () -> "null",
                    () -> "Ő \"\\/ \u0000\u001F\u2028 \uD83D\uDE00",
                    () -> "@version",
                    () -> random.ints(random.nextInt(20), 1, 0xD800)
                            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                            .toString());
        }

        private UUID id() {
            return new UUID(random.nextLong(), random.nextLong());
        }

        private DayOfWeek day() {
            return DayOfWeek.of(random.nextInt(1, 8));
        }

        private Name name() {
            return new Name(text(), random.nextInt(3) == 0 ? null : name());
        }

        private Payment payment() {
            return any(() -> new Cash(decimal()), () -> new Card(text(), month()));
        }

        private YearMonth month() {
            return YearMonth.of(random.nextInt(-9_999, 10_000), random.nextInt(1, 13));
        }

        private <T> List<T> some(Supplier<T> value) {
            return Stream.generate(value).limit(random.nextInt(4)).toList();
        }

        private <K, V> Map<K, V> some(Supplier<K> key, Supplier<V> value) {
            Map<K, V> map = new LinkedHashMap<>();
            some(key).forEach(each -> map.put(each, value.get()));
            return map;
        }

        private Numbers numbers() {
            return new Numbers(
                    (byte) whole(),
                    (short) whole(),
                    (int) whole(),
                    whole(),
                    single(),
                    floating(),
                    (byte) whole(),
                    (short) whole(),
                    (int) whole(),
                    whole(),
                    single(),
                    floating(),
                    big(),
                    decimal(),
                    random.nextBoolean() ? null : decimal(),
                    random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of((int) whole()),
                    random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(whole()),
                    random.nextBoolean() ? OptionalDouble.empty() : OptionalDouble.of(floating()));
        }

        private Times times() {
            LocalDateTime at = dateTime();
            return new Times(
                    instant(),
                    at.toLocalDate(),
                    at.toLocalTime(),
                    at,
                    at.atOffset(offset()),
                    at.toLocalTime().atOffset(offset()),
                    at.atZone(zone()),
                    zone(),
                    offset(),
                    Year.of(at.getYear()),
                    month(),
                    MonthDay.of(random.nextInt(1, 13), random.nextInt(1, 29)),
                    day(),
                    Duration.ofSeconds(random.nextInt(), random.nextInt(1_000_000_000)),
                    Period.of(random.nextInt(-99, 99), random.nextInt(-99, 99), random.nextInt(-99, 99)));
        }

        private Texts texts() {
            return new Texts(
                    text(),
                    (char) random.nextInt(0xD800),
                    random.nextBoolean(),
                    random.nextBoolean(),
                    id(),
                    URI.create("https://example.org/" + random.nextInt() + "?a=%20b"),
                    any(() -> Locale.ROOT, () -> Locale.GERMANY, () -> Locale.forLanguageTag("ar-EG")),
                    Currency.getInstance("EUR"),
                    random.nextBoolean() ? Optional.empty() : Optional.of(text()),
                    random.nextBoolean() ? null : text());
        }

        private Structures structures() {
            return new Structures(
                    some(this::decimal),
                    new LinkedHashSet<>(some(this::instant)),
                    some(this::text, this::big),
                    some(this::day, this::floating),
                    some(this::id, this::name),
                    some(() -> some(this::name)),
                    new ArrayList<@Nullable String>(Arrays.asList(text(), null)),
                    name(),
                    payment(),
                    random.nextBoolean() ? Optional.empty() : Optional.of(name()),
                    any(this::text, () -> 14, () -> 14.5, () -> true, () -> List.of(1, "a"), () -> Map.of("a", 1.5)));
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void an_event_is_read_back_equal(int seed) {
        Values values = new Values(new Random(seed));

        for (Fact fact :
                List.of(values.numbers(), values.times(), values.texts(), values.structures(), new Nothing())) {
            assertThat(PLAIN.decode(PLAIN.encode(fact).event())).isEqualTo(fact);
            assertThat(VERSIONED.decode(VERSIONED.encode(fact).event())).isEqualTo(fact);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void numbers_of_an_earlier_version_keep_their_digits(int seed) {
        Amount amount = new Amount(new Values(new Random(seed)).decimal());
        JsonEventCodec<Fact> later = PLAIN.upcast(Amount.class, 1, payload -> payload);

        assertThat(later.decode(PLAIN.encode(amount).event())).isEqualTo(amount);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.00", "12345678901234567.89", "1e400", "-0.10"})
    void decimals_keep_their_digits(String number) {
        Amount amount = new Amount(new BigDecimal(number));

        assertThat(PLAIN.decode(PLAIN.encode(amount).event())).isEqualTo(amount);
    }

    @Test
    void an_event_with_arrays_is_read_back() {
        byte[] bytes = "Ő".getBytes(StandardCharsets.UTF_8);
        Blobs read = (Blobs) PLAIN.decode(PLAIN.encode(new Blobs(bytes, new int[] {1, 2}, new String[] {"a"}))
                .event());

        assertThat(read.bytes()).isEqualTo(bytes);
        assertThat(read.numbers()).containsExactly(1, 2);
        assertThat(read.texts()).containsExactly("a");
    }

    static Stream<Fact> lossy() {
        return Stream.of(
                new Anything(new BigDecimal("12345678901234567.89")),
                new Anything(new UUID(1, 2)),
                new Anything(Instant.EPOCH),
                new AnyNumber(7L),
                new AnyNumber(new BigDecimal("10.00")),
                new AnyOf(Set.of(1, 2)));
    }

    @ParameterizedTest
    @MethodSource("lossy")
    void an_event_that_would_be_read_as_another_one_is_refused(Fact fact) {
        assertThatThrownBy(() -> PLAIN.encode(fact))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("A '%s' event cannot be stored: it would be read with other values of "
                        .formatted(fact.getClass().getSimpleName()));
    }

    static Stream<Fact> unreadable() {
        return Stream.of(
                new Count(BigInteger.TEN.pow(1_200)),
                new Amount(new BigDecimal(BigInteger.TEN.pow(1_200).add(BigInteger.ONE))),
                new Open(new Circle(1)));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void an_event_that_could_not_be_read_is_refused(Fact fact) {
        assertThatThrownBy(() -> PLAIN.encode(fact))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A '%s' event cannot be stored: its JSON could not be read"
                        .formatted(fact.getClass().getSimpleName()));
    }

    @Test
    void an_event_that_is_no_json_object_is_refused() {
        assertThatThrownBy(() -> PLAIN.encode(new Scalar("a")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A 'Scalar' event must be written as a JSON object, but its JSON is another value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"14.5", "14.0", "1e1", "2147483648"})
    void a_number_that_is_no_int_is_not_read_as_one(String number) {
        String payload = "{\"times\":%s}".formatted(number);

        assertThatThrownBy(() -> PLAIN.decode("Repeated", payload)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PLAIN.upcast(Repeated.class, 1, old -> old).decode("Repeated", payload))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

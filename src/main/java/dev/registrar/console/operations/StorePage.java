package dev.registrar.console.operations;

import dev.registrar.console.Visitor;
import dev.registrar.embedded.DatabaseInUse;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.DatabaseFacts;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreOptions;
import dev.registrar.eventstore.postgres.connection.CircuitBreaker;
import dev.registrar.eventstore.postgres.read.NameCount;
import dev.registrar.eventstore.postgres.read.StoreExplorer;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;

/**
 * The event store: its head, what it does per second, its circuit breaker, its database, its settings, and the names
 * that its events use.
 */
@Controller
final class StorePage {
    /** Maximum number of types, and of kinds of tags, that are counted. */
    private static final int MOST_NAMES = 50;

    private final PostgresEventStore store;
    private final StoreExplorer explorer;
    private final StoreOptions options;
    private final DatabaseInUse database;
    private final MeterHistory history;
    private final StoreGauges gauges;
    private final ConsoleOperationsSettings settings;
    private final ObjectProvider<BuildProperties> build;

    StorePage(
            PostgresEventStore store,
            StoreExplorer explorer,
            StoreOptions options,
            DatabaseInUse database,
            MeterHistory history,
            StoreGauges gauges,
            ConsoleOperationsSettings settings,
            ObjectProvider<BuildProperties> build) {
        this.store = store;
        this.explorer = explorer;
        this.options = options;
        this.database = database;
        this.history = history;
        this.gauges = gauges;
        this.settings = settings;
        this.build = build;
    }

    /**
     * What the store did lately.
     *
     * @param value the present one, in words
     */
    record Measure(String name, String value, Chart chart) {
        static List<Measure> of(MeterHistory.Rates now, List<MeterHistory.Rates> overTime) {
            return List.of(
                    of("Appends per second", now, overTime, MeterHistory.Rates::appends),
                    of("Conflicts per second", now, overTime, MeterHistory.Rates::conflicts),
                    of("Small reads per second", now, overTime, MeterHistory.Rates::smallReads),
                    of("Calls of the database per second", now, overTime, MeterHistory.Rates::calls),
                    of("Appends in a group", now, overTime, MeterHistory.Rates::groupSize),
                    of(
                            "Wait for a group, in ms",
                            now,
                            overTime,
                            rates -> rates.queueWait().toNanos() / 1e6));
        }

        private static Measure of(
                String name,
                MeterHistory.Rates now,
                List<MeterHistory.Rates> overTime,
                ToDoubleFunction<MeterHistory.Rates> number) {
            List<Double> numbers = overTime.stream().map(number::applyAsDouble).toList();
            double most =
                    numbers.stream().mapToDouble(Double::doubleValue).max().orElse(0);
            return new Measure(
                    name,
                    Numbers.rate(number.applyAsDouble(now)),
                    Chart.of(
                            numbers,
                            MeterHistory.MOST_SAMPLES - 1,
                            "%s over the last 5 minutes: at most %s".formatted(name, Numbers.rate(most))));
        }
    }

    /**
     * How often events have a type or a kind of tags, in words.
     *
     * @param events the address of its events; null for a kind, and if the name has other characters than plain ones
     */
    record ShownName(String name, String number, @Nullable String events) {
        static ShownName ofType(NameCount type) {
            return new ShownName(type.name(), number(type), ContentionPage.addressOf(QueryItem.types(type.name())));
        }

        static ShownName ofKind(NameCount kind) {
            return new ShownName(kind.name(), number(kind), null);
        }

        private static String number(NameCount name) {
            if (name.isExact()) {
                return Numbers.count(name.counted());
            }
            return name.estimate() == null
                    ? "more than " + Numbers.count(StoreExplorer.MOST_COUNTED)
                    : "about " + Numbers.about(name.estimate());
        }
    }

    /** The circuit breaker in front of the database. */
    record ShownCircuit(String state, String badge, String meaning, int calls, int failedCalls) {
        static ShownCircuit of(CircuitBreaker breaker) {
            CircuitBreaker.State state = breaker.state();
            String name = KebabCase.of(state);
            int calls = breaker.calls();
            int failed = breaker.failedCalls();
            return switch (state) {
                case CLOSED -> new ShownCircuit(name, "good", "All calls pass.", calls, failed);
                case OPEN ->
                    new ShownCircuit(
                            name, "bad", "No call passes: too many have failed. It tries again soon.", calls, failed);
                case HALF_OPEN ->
                    new ShownCircuit(
                            name, "warn", "A few calls pass, to find out whether the database answers.", calls, failed);
                case DISABLED -> new ShownCircuit(name, "info", "There is no circuit breaker.", 0, 0);
            };
        }
    }

    /** The sizes and the version of the database, in words. */
    record ShownDatabase(String version, String name, String size, String storeSize) {
        static ShownDatabase of(DatabaseFacts facts) {
            return new ShownDatabase(
                    facts.version(),
                    facts.name(),
                    Numbers.bytes(facts.databaseBytes()),
                    Numbers.bytes(facts.storeBytes()));
        }
    }

    /** @param isRefresh whether a part of the page is asked for, which has no names */
    @GetMapping("/console/store")
    String show(
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean isRefresh,
            Visitor visitor,
            Model model) {
        Optional<Head> head = Reachable.ask(store::head);
        // A database that did not answer for its head would only let the page wait again.
        Optional<ShownDatabase> facts =
                head.flatMap(known -> Reachable.ask(store::databaseFacts)).map(ShownDatabase::of);
        model.addAttribute("head", head.orElse(null));
        model.addAttribute(
                "position",
                head.map(Head::position).map(p -> Numbers.count(p.value())).orElse(null));
        model.addAttribute("database", facts.orElse(null));
        model.addAttribute("address", database.name());
        Optional<MeterHistory.Rates> rates = history.rates();
        model.addAttribute(
                "over", rates.map(now -> Numbers.duration(now.over())).orElse(null));
        model.addAttribute(
                "measures",
                rates.map(now -> Measure.of(now, history.ratesOverTime())).orElse(List.of()));
        if (head.isPresent() && !isRefresh) {
            model.addAttribute("types", names(explorer::countTypes, ShownName::ofType));
            model.addAttribute("kinds", visitor.showsAuditors() ? names(this::countKinds, ShownName::ofKind) : null);
            model.addAttribute("mostNames", MOST_NAMES);
            model.addAttribute("mostCounted", Numbers.count(StoreExplorer.MOST_COUNTED));
        }
        model.addAttribute("circuit", ShownCircuit.of(store.breaker()));
        model.addAttribute("waitingAppends", gauges.waitingAppends());
        model.addAttribute("refusedAppends", gauges.refusedAppends());
        model.addAttribute("pools", gauges.pools());
        model.addAttribute("schema", options.schema());
        model.addAttribute("settings", StoreSettingRows.of(options));
        model.addAttribute("grafana", settings.grafanaUrl());
        BuildProperties known = build.getIfAvailable();
        model.addAttribute("version", known == null ? null : known.getVersion());
        return "console/operations/store";
    }

    /* A tag without a kind is data of its events. */
    private List<NameCount> countKinds(int most) {
        return explorer.countKindsOfTags(most).stream()
                .filter(kind -> kind.name().endsWith(":"))
                .toList();
    }

    private static @Nullable List<ShownName> names(
            IntFunction<List<NameCount>> count, Function<NameCount, ShownName> shown) {
        return Reachable.ask(() -> count.apply(MOST_NAMES))
                .map(names -> names.stream()
                        .sorted(Comparator.comparingLong(StorePage::order).reversed())
                        .map(shown)
                        .toList())
                .orElse(null);
    }

    private static long order(NameCount name) {
        return name.estimate() == null ? name.counted() : name.estimate();
    }
}

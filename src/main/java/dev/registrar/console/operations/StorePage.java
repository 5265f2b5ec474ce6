package dev.registrar.console.operations;

import dev.registrar.console.Visitor;
import dev.registrar.console.explorer.StoreNames;
import dev.registrar.console.explorer.StoreNames.NameCount;
import dev.registrar.console.operations.MeterHistory.Measure;
import dev.registrar.embedded.DatabaseInUse;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.DatabaseFacts;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
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
    private final StoreNames names;
    private final StoreOptions options;
    private final DatabaseInUse database;
    private final MeterHistory history;
    private final StoreGauges gauges;
    private final ConsoleOperationsSettings settings;
    private final ObjectProvider<BuildProperties> build;

    StorePage(
            PostgresEventStore store,
            StoreNames names,
            StoreOptions options,
            DatabaseInUse database,
            MeterHistory history,
            StoreGauges gauges,
            ConsoleOperationsSettings settings,
            ObjectProvider<BuildProperties> build) {
        this.store = store;
        this.names = names;
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
    record ShownMeasure(String name, String value, Chart chart) {
        static ShownMeasure of(Measure measure, double now, List<Double> overTime) {
            double most =
                    overTime.stream().mapToDouble(Double::doubleValue).max().orElse(0);
            return new ShownMeasure(
                    measure.title(),
                    Numbers.rate(now),
                    Chart.of(
                            overTime,
                            MeterHistory.MOST_SAMPLES - 1,
                            "%s over the last 5 minutes: at most %s".formatted(measure.title(), Numbers.rate(most))));
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
                    ? "more than " + Numbers.count(StoreNames.MOST_COUNTED)
                    : "about " + Numbers.about(name.estimate());
        }
    }

    /**
     * Shows the page.
     *
     * @param isRefresh whether a part of the page is asked for, which has no names
     */
    @GetMapping("/console/store")
    String show(
            @RequestHeader(name = "HX-Request", defaultValue = "false") boolean isRefresh,
            Visitor visitor,
            Model model) {
        Optional<Head> head = Reachable.ask(store::head);
        // A database that did not answer for its head would only let the page wait again.
        Optional<DatabaseFacts> facts = head.flatMap(known -> Reachable.ask(store::databaseFacts));
        model.addAttribute("head", head.orElse(null));
        model.addAttribute("database", facts.orElse(null));
        model.addAttribute("address", database.name());
        Optional<MeterHistory.Now> now = history.now();
        model.addAttribute("over", now.map(MeterHistory.Now::over).orElse(null));
        model.addAttribute("measures", now.map(this::measures).orElse(List.of()));
        if (head.isPresent() && !isRefresh) {
            model.addAttribute("types", names(names::countTypes, ShownName::ofType));
            model.addAttribute("kinds", visitor.showsAuditors() ? names(this::countKinds, ShownName::ofKind) : null);
            model.addAttribute("mostNames", MOST_NAMES);
            model.addAttribute("mostCounted", StoreNames.MOST_COUNTED);
        }
        model.addAttribute("circuit", store.breaker());
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

    private List<ShownMeasure> measures(MeterHistory.Now now) {
        List<ShownMeasure> measures = new ArrayList<>();
        now.rates().forEach((measure, rate) -> measures.add(ShownMeasure.of(measure, rate, history.overTime(measure))));
        return measures;
    }

    /* A tag without a kind is data of its events. */
    private List<NameCount> countKinds(int most) {
        return names.countKindsOfTags(most).stream()
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

package dev.registrar.console.operations;

import dev.registrar.embedded.DatabaseInUse;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.postgres.DatabaseFacts;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreOptions;
import dev.registrar.eventstore.postgres.connection.CircuitBreaker;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.info.BuildProperties;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The event store: its head, what it does per second, its circuit breaker, its database and its settings. */
@Controller
final class StorePage {
    private final PostgresEventStore store;
    private final StoreOptions options;
    private final DatabaseInUse database;
    private final MeterHistory history;
    private final StoreGauges gauges;
    private final ConsoleOperationsSettings settings;
    private final ObjectProvider<BuildProperties> build;

    StorePage(
            PostgresEventStore store,
            StoreOptions options,
            DatabaseInUse database,
            MeterHistory history,
            StoreGauges gauges,
            ConsoleOperationsSettings settings,
            ObjectProvider<BuildProperties> build) {
        this.store = store;
        this.options = options;
        this.database = database;
        this.history = history;
        this.gauges = gauges;
        this.settings = settings;
        this.build = build;
    }

    /** What the store did per second lately, in words. */
    record ShownRates(
            String over,
            String appends,
            String conflicts,
            String smallReads,
            String calls,
            String groupSize,
            String queueWait) {

        static ShownRates of(MeterHistory.Rates rates) {
            return new ShownRates(
                    Numbers.duration(rates.over()),
                    Numbers.rate(rates.appends()),
                    Numbers.rate(rates.conflicts()),
                    Numbers.rate(rates.smallReads()),
                    Numbers.rate(rates.calls()),
                    Numbers.rate(rates.groupSize()),
                    Numbers.duration(rates.queueWait()));
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

    @GetMapping("/console/store")
    String show(Model model) {
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
        model.addAttribute("rates", history.rates().map(ShownRates::of).orElse(null));
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
}

package dev.registrar.application;

import dev.registrar.embedded.DatabaseInUse;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.http.address.ServiceAddress;
import dev.registrar.security.LoginHint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.stereotype.Component;

/**
 * Logs at the end of a start where the service and its database are reached, and how the service is stopped and reset.
 */
@Component
final class ReadyMessage implements ApplicationListener<ApplicationReadyEvent> {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyMessage.class);

    private final ServiceAddress service;
    private final DatabaseInUse database;
    private final StoreOptions store;
    private final ObjectProvider<LoginHint> login;

    ReadyMessage(ServiceAddress service, DatabaseInUse database, StoreOptions store, ObjectProvider<LoginHint> login) {
        this.service = service;
        this.database = database;
        this.store = store;
        this.login = login;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent ready) {
        List<String> lines = new ArrayList<>();
        lines.add("Registrar is ready" + after(ready.getTimeTaken()));
        service.url().ifPresent(url -> {
            lines.add("  URL       " + url);
            lines.add("  API       %s/swagger-ui.html (OpenAPI: %s/v3/api-docs)".formatted(url, url));
            login.ifAvailable(hint -> lines.addAll(block("Login", hint.lines(url))));
        });
        service.managementUrl().ifPresent(url -> lines.add("  Actuator  " + url));
        lines.add(
                "  Database  %s, schema %s%s".formatted(database.name(), store.schema(), place(database.dataFolder())));
        if (database.psql() != null) {
            lines.add("            " + database.psql());
        }
        lines.add("  Stop      Ctrl-C, or kill " + ProcessHandle.current().pid());
        lines.add("  Reset     " + reset(database.dataFolder()));
        LOG.info("{}", String.join(System.lineSeparator(), lines));
    }

    private static List<String> block(String name, List<String> texts) {
        List<String> lines = new ArrayList<>();
        for (String text : texts) {
            lines.add("  %-8s  %s".formatted(lines.isEmpty() ? name : "", text));
        }
        return lines;
    }

    private static String after(@Nullable Duration start) {
        return start == null ? "" : String.format(Locale.ENGLISH, " after %.1f s", start.toMillis() / 1e3);
    }

    private static String place(@Nullable Path dataFolder) {
        return dataFolder == null ? "" : ", data in " + dataFolder;
    }

    private String reset(@Nullable Path dataFolder) {
        return dataFolder == null
                ? "stop all instances, and drop the schema %s and those of its views, %s_*. All data is lost"
                        .formatted(store.schema(), store.schema())
                : "stop the service, and delete the folder %s. All data is lost".formatted(dataFolder);
    }
}

package dev.registrar.application;

import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import dev.registrar.autoconfigure.EventStoreAutoConfiguration;
import dev.registrar.dataset.ProgressBar;
import dev.registrar.embedded.EarlyDatabaseStart;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.transfer.HistoryException;
import dev.registrar.transfer.HistoryExport;
import dev.registrar.transfer.HistoryImport;
import dev.registrar.transfer.HistoryProgress;
import dev.registrar.transfer.HistorySummary;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The commands {@code export} and {@code import} of the service's jar. They open the database of the service's
 * settings, without a web server, views and automations.
 */
public final class TransferCommand {
    private static final String EXPORT = "export";
    private static final String IMPORT = "import";
    private static final String KEYS = "--keys";
    private static final String APPEND = "--append";
    private static final String ZSTD = ".zst";

    private static final String USAGE = """
            Usage: export <file> [--keys] [settings]
                   import <file> [--append] [settings]
            A file whose name ends with .zst is compressed. --keys: with idempotency keys. --append: behind the events of
            the store, with new positions and times. Settings are those of the service, such as --spring.datasource.url=…""";

    private final boolean exports;
    private final Path file;
    private final boolean flag;
    private @Nullable ProgressBar bar;

    private TransferCommand(boolean exports, Path file, boolean flag) {
        this.exports = exports;
        this.file = file;
        this.flag = flag;
    }

    /** Whether the first argument of a program is the name of one of these commands. */
    public static boolean isNamed(String... arguments) {
        return arguments.length > 0 && (arguments[0].equals(EXPORT) || arguments[0].equals(IMPORT));
    }

    /**
     * Runs a command.
     *
     * @param arguments its name, its file and its options, then settings
     * @return the exit status: 0 if the history was moved
     */
    public static int run(String... arguments) {
        boolean exports = arguments[0].equals(EXPORT);
        List<String> rest = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
        boolean flag = rest.remove(exports ? KEYS : APPEND);
        if (rest.isEmpty() || rest.stream().skip(1).anyMatch(setting -> !setting.matches("--[^=]+=.*"))) {
            System.err.println(USAGE);
            return 2;
        }
        TransferCommand command = new TransferCommand(exports, Path.of(rest.removeFirst()), flag);
        ConfigurableApplicationContext started;
        try {
            started = new SpringApplicationBuilder(Beans.class)
                    .web(WebApplicationType.NONE)
                    .listeners(new EarlyDatabaseStart())
                    .run(rest.toArray(String[]::new));
        } catch (RuntimeException reported) {
            // Spring has reported why the start failed.
            return 1;
        }
        try (ConfigurableApplicationContext context = started) {
            return command.move(context);
        }
    }

    /* Without @Configuration, so that the service's component scan does not find it. */
    @ComponentScan(basePackageClasses = EarlyDatabaseStart.class)
    @ConfigurationPropertiesScan(basePackageClasses = EarlyDatabaseStart.class)
    @ImportAutoConfiguration({DataSourceAutoConfiguration.class, EventStoreAutoConfiguration.class})
    static class Beans {}

    private int move(ConfigurableApplicationContext context) {
        try {
            HistorySummary moved = exports ? export(context) : importInto(context);
            System.out.printf(
                    Locale.ENGLISH,
                    exports
                            ? "Exported %,d events to %s, of which %,d in this run. Digest: %s%n"
                            : "The store has the %,d events of %s, of which %,d were imported in this run. Digest: %s%n",
                    moved.events(),
                    file,
                    moved.added(),
                    moved.digest());
            return 0;
        } catch (HistoryException | EventStoreException refused) {
            return failed(refused.getMessage());
        } catch (NoSuchFileException absent) {
            return failed("There is no file " + file);
        } catch (FileAlreadyExistsException other) {
            return failed("The file %s exists. A compressed export is not continued: delete it, or name another file"
                    .formatted(file));
        } catch (IOException failure) {
            return failed("The file %s cannot be used: %s".formatted(file, failure));
        }
    }

    private int failed(@Nullable String reason) {
        if (bar != null) {
            System.out.println();
        }
        System.err.println("The %s failed. %s".formatted(exports ? EXPORT : IMPORT, reason));
        return 1;
    }

    private HistorySummary export(ConfigurableApplicationContext context) throws IOException {
        HistoryExport export =
                new HistoryExport(context.getBean(PostgresEventStore.class), flag, progress("Exporting"));
        if (!isCompressed()) {
            return export.writeTo(file);
        }
        try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(file, StandardOpenOption.CREATE_NEW))) {
            return export.writeTo(out);
        }
    }

    private HistorySummary importInto(ConfigurableApplicationContext context) throws IOException {
        return new HistoryImport(
                        context.getBean(PostgresEventStore.class),
                        owner(context.getBean(StoreAddress.class), context.getEnvironment()),
                        context.getBean(StoreOptions.class),
                        flag,
                        progress("Importing"))
                .run(this::open);
    }

    private InputStream open() throws IOException {
        InputStream in = Files.newInputStream(file);
        return isCompressed() ? new ZstdInputStream(in) : in;
    }

    private boolean isCompressed() {
        return file.toString().endsWith(ZSTD);
    }

    private HistoryProgress progress(String what) {
        return (events, total) -> {
            if (bar == null) {
                bar = new ProgressBar(System.out, what, events, total);
            }
            bar.show(events);
        };
    }

    private static StoreAddress owner(StoreAddress service, Environment environment) {
        String user = environment.getProperty("spring.flyway.user");
        if (!StringUtils.hasText(user)) {
            return service;
        }
        String url = environment.getProperty("spring.flyway.url");
        return new StoreAddress(
                StringUtils.hasText(url) ? url : service.url(),
                user,
                environment.getProperty("spring.flyway.password"));
    }
}

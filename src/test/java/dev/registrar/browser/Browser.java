package dev.registrar.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.net.PortProber;
import org.springframework.util.FileSystemUtils;

/**
 * Debian's Chromium without a window and with a new profile. Every name below {@code .example} is this machine to it,
 * as if the name's owner had said so.
 */
public final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    /*
     * The browser uses no proxy and sends nothing of its own. It has no protection of its own for services on this machine
     * (LocalNetworkAccessChecks), because not every browser has one: the service must protect itself.
     */
    private static final List<String> OPTIONS = List.of(
            "--headless=new",
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-proxy-server",
            "--disable-features=LocalNetworkAccessChecks,HttpsUpgrades",
            "--host-resolver-rules=MAP *.example 127.0.0.1,MAP *.example. 127.0.0.1");

    private final Path profile;
    private final ChromeDriver driver;

    private Browser(Path profile, boolean scripts) throws IOException {
        this.profile = profile;
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toString());
        options.addArguments(OPTIONS);
        options.addArguments("--user-data-dir=" + profile);
        options.setCapability(ChromeOptions.LOGGING_PREFS, consoleMessages());
        if (!scripts) {
            options.setExperimentalOption("prefs", Map.of("profile.managed_default_content_settings.javascript", 2));
        }
        this.driver = new ChromeDriver(service(profile), options);
    }

    private static LoggingPreferences consoleMessages() {
        LoggingPreferences messages = new LoggingPreferences();
        messages.enable(LogType.BROWSER, Level.ALL);
        return messages;
    }

    /* Not by the service's builder: the compiler warns that one of its annotations is on no class path. */
    private static ChromeDriverService service(Path profile) throws IOException {
        int port = PortProber.findFreePort();
        return new ChromeDriverService(
                DRIVER.toFile(),
                port,
                START_TIMEOUT,
                List.of("--port=" + port, "--log-path=" + profile.resolve("driver.log")),
                Map.of());
    }

    /**
     * Opens a browser with a profile of its own.
     *
     * @throws IllegalStateException if none is installed
     */
    public static Browser open() {
        return open(true);
    }

    /**
     * Opens a browser that runs no script of a page.
     *
     * @throws IllegalStateException if none is installed
     */
    public static Browser openWithoutScripts() {
        return open(false);
    }

    private static Browser open(boolean scripts) {
        missing().ifPresent(program -> {
            throw new IllegalStateException("There is no %s, which .ci/browser installs".formatted(program));
        });
        try {
            return new Browser(Files.createTempDirectory("browser"), scripts);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The program without which no browser can be opened here; empty if one can. */
    private static Optional<String> missing() {
        return Stream.of(CHROMIUM, DRIVER)
                .filter(program -> !Files.isExecutable(program))
                .map(Path::toString)
                .findFirst();
    }

    /** Opens a page, and returns when it has been loaded. */
    public void show(String url) {
        driver.get(url);
    }

    /** The title of the page that is shown now. */
    public String title() {
        return Optional.ofNullable(driver.getTitle()).orElse("");
    }

    public ChromeDriver driver() {
        return driver;
    }

    @Override
    public void close() {
        driver.quit();
        try {
            FileSystemUtils.deleteRecursively(profile);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}

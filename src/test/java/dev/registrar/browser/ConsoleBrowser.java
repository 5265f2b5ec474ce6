package dev.registrar.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.SearchContext;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;

/**
 * A browser at the web console of one service, used as a person uses it: by what is visible on the page, by the labels
 * of its fields, and by the keyboard.
 */
public final class ConsoleBrowser implements AutoCloseable {
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");
    private static final boolean WITH_SCREENSHOTS = Boolean.getBoolean("registrar.screenshots");
    private static final int MAX_SCREENSHOT_HEIGHT = 4_000;

    private static final String CLICKABLE = """
            .//*[self::a[@href] or self::button or self::summary or self::label or self::input[@type='submit']]\
            [contains(normalize-space(.), %1$s) or contains(@aria-label, %1$s) or contains(@value, %1$s)]""";

    private static final String LABEL = ".//label[contains(normalize-space(.), %s)]";

    /* The smallest part of a page that has its own heading or row, and contains the text. */
    private static final String AREA = """
            //*[self::tr or self::li or self::article or self::fieldset or self::form or self::section or self::dialog]\
            [contains(normalize-space(.), %1$s)]\
            [not(.//*[self::tr or self::li or self::article or self::fieldset or self::form or self::section]\
            [contains(normalize-space(.), %1$s)])]""";

    private final Browser browser;
    private final String base;
    private Look look = Look.DESK_LIGHT;

    private ConsoleBrowser(Browser browser, int port) {
        this.browser = browser;
        this.base = "http://localhost:" + port;
        look(look);
    }

    /** Opens a browser beside the service on this port; it shows no page yet. */
    public static ConsoleBrowser of(int port) {
        return new ConsoleBrowser(Browser.open(), port);
    }

    /** A browser that runs no script of a page. */
    public static ConsoleBrowser withoutScripts(int port) {
        return new ConsoleBrowser(Browser.openWithoutScripts(), port);
    }

    public ChromeDriver driver() {
        return browser.driver();
    }

    /** Sets the size of the window and the preferred theme, from now on; the page is not loaded again. */
    public ConsoleBrowser look(Look look) {
        this.look = look;
        driver().executeCdpCommand("Emulation.setDeviceMetricsOverride", look.metrics());
        driver().executeCdpCommand("Emulation.setEmulatedMedia", look.media());
        return this;
    }

    /** Shows the page of this path. */
    public ConsoleBrowser open(String path) {
        browser.show(base + path);
        return this;
    }

    /**
     * Chooses a role on the front page, in the mode {@code local}.
     *
     * @param role as the page shows it, such as {@code Student}; empty for all
     * @param student an id; empty for none
     */
    public ConsoleBrowser be(String role, String student) {
        open("/").choose("Role", role.isEmpty() ? "All of them" : role);
        // Who types asks for completions: one that is asked for while the role changes is refused, an error in the log.
        driver().executeScript("arguments[0].value = arguments[1]", field("Student, by id"), student);
        WebElement choose = clickable(driver(), "Choose");
        choose.click();

        // A page that is opened before the answer came would abort the request, and the choice with it.
        await().until(() -> isGone(choose));
        return this;
    }

    private static boolean isGone(WebElement element) {
        try {
            element.isEnabled();
            return false;
        } catch (WebDriverException failure) {
            if (isStale(failure)) {
                return true;
            }
            throw failure;
        }
    }

    /* While a page is replaced, the driver may say so by a failure without a type of its own. */
    private static boolean isStale(Throwable failure) {
        return failure instanceof StaleElementReferenceException
                || String.valueOf(failure.getMessage()).contains("does not belong to the document");
    }

    /** The HTTP status of the page that is shown now. */
    public int status() {
        return number("return performance.getEntriesByType('navigation')[0].responseStatus");
    }

    /** The number of elements that match a CSS selector. */
    public int count(String selector) {
        return number("return document.querySelectorAll(arguments[0]).length", selector);
    }

    private int number(String script, Object... arguments) {
        return ((Number) Objects.requireNonNull(driver().executeScript(script, arguments))).intValue();
    }

    /** The path of the page that is shown now, with its query. */
    public String path() {
        String url = Objects.requireNonNull(driver().getCurrentUrl());
        return url.startsWith(base) ? url.substring(base.length()) : url;
    }

    /** Waits until the path of the page, with its query, contains this text. */
    public ConsoleBrowser waitForPath(String part) {
        await().untilAsserted(() -> assertThat(path()).contains(part));
        return this;
    }

    public String title() {
        return browser.title();
    }

    /** The visible text of the page's main part and of the notices above it. */
    public String text() {
        return unreplaced(
                () -> driver().findElement(By.cssSelector("#main, body > main")).getText());
    }

    /** Waits until the page's main part shows this text. */
    public ConsoleBrowser waitForText(String text) {
        await().ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(() -> assertThat(text()).contains(text));
        return this;
    }

    /** Waits until the page's main part does not show this text. */
    public ConsoleBrowser waitUntilGone(String text) {
        await().ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(() -> assertThat(text()).doesNotContain(text));
        return this;
    }

    /** Clicks the link or button with this text, or the only one whose text contains it. */
    public ConsoleBrowser click(String text) {
        return unreplaced(() -> {
            clickable(driver(), text).click();
            return this;
        });
    }

    /** As {@link #click(String)}, in the row, card or form that contains another text. */
    public ConsoleBrowser click(String text, String area) {
        return unreplaced(() -> {
            clickable(area(area), text).click();
            return this;
        });
    }

    /** True if a link or button with this text, or a text that contains it, is visible. */
    public boolean offers(String text) {
        return unreplaced(() -> !visible(driver(), CLICKABLE, text).isEmpty());
    }

    /* A page replaces its live parts at any time: what was just found may be gone at the next look. */
    private static <T> T unreplaced(Callable<T> use) {
        return await().ignoreExceptionsMatching(ConsoleBrowser::isStale).until(use, used -> true);
    }

    private static WebElement clickable(SearchContext in, String text) {
        return best(visible(in, CLICKABLE, text), text, "link or button");
    }

    /** The smallest row, card or form of the page that contains this text. */
    public WebElement area(String text) {
        return visible(driver(), AREA, text).stream()
                .findFirst()
                .orElseThrow(() -> new NoSuchElementException("No part of the page has '%s'".formatted(text)));
    }

    /** Replaces the content of the field with this label. */
    public ConsoleBrowser fill(String label, String value) {
        WebElement field = field(label);
        String type = String.valueOf(field.getDomProperty("type"));
        if (type.equals("file")) {
            field.sendKeys(value);
        } else if (type.startsWith("date") || !value.codePoints().allMatch(Character::isBmpCodePoint)) {
            // The driver types no character beyond the basic plane, and dates as the machine's language wants them.
            driver().executeScript("""
                    arguments[0].value = arguments[1];
                    arguments[0].dispatchEvent(new Event('input', {bubbles: true}));
                    arguments[0].dispatchEvent(new Event('change', {bubbles: true}));
                    """, field, value);
        } else {
            field.clear();
            field.sendKeys(value);
        }
        return this;
    }

    /** Chooses an option, by its text, in the list with this label. */
    public ConsoleBrowser choose(String label, String option) {
        best(visible(field(label), ".//option[contains(normalize-space(.), %s)]", option), option, "option")
                .click();
        return this;
    }

    /**
     * The field with this label: one that the label names by its id, one inside it, or one with this
     * {@code aria-label}.
     */
    public WebElement field(String label) {
        List<WebElement> labels = visible(driver(), LABEL, label);
        if (labels.isEmpty()) {
            return best(visible(driver(), ".//*[contains(@aria-label, %s)]", label), label, "field");
        }
        WebElement found = best(labels, label, "field");
        String id = found.getDomAttribute("for");
        return id == null
                ? found.findElement(By.xpath(".//*[self::input or self::select or self::textarea]"))
                : driver().findElement(By.id(id));
    }

    private static List<WebElement> visible(SearchContext in, String path, String text) {
        return in.findElements(By.xpath(path.formatted(literal(text)))).stream()
                .filter(WebElement::isDisplayed)
                .toList();
    }

    /* A text in XPath, which has no escapes. */
    private static String literal(String text) {
        return "concat('', '%s')".formatted(text.replace("'", "', \"'\", '"));
    }

    private static WebElement best(List<WebElement> found, String text, String kind) {
        List<WebElement> exact = found.stream()
                .filter(element -> text.equals(element.getText().strip()) || text.equals(element.getAccessibleName()))
                .toList();
        if (!exact.isEmpty()) {
            return exact.getFirst();
        }
        if (found.size() != 1) {
            throw new NoSuchElementException("%s %ss have '%s' in their text: %s"
                    .formatted(
                            found.size(),
                            kind,
                            text,
                            found.stream().map(WebElement::getText).toList()));
        }
        return found.getFirst();
    }

    /** Presses keys, one after the other, where the focus is. */
    public ConsoleBrowser press(CharSequence... keys) {
        for (CharSequence key : keys) {
            new Actions(driver()).sendKeys(key).perform();
        }
        return this;
    }

    /** Presses Tab until the focused element has this name. */
    public ConsoleBrowser tabTo(String name) {
        List<String> passed = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            press(Keys.TAB);
            if (focused().equals(name)) {
                return this;
            }
            passed.add(focused());
        }
        throw new NoSuchElementException("Tab never reaches '%s', only %s".formatted(name, passed));
    }

    /** The name that a screen reader says for the focused element; empty if nothing has the focus. */
    public String focused() {
        return unreplaced(() -> {
            WebElement focused = driver().switchTo().activeElement();
            return focused.getTagName().equals("body") ? "" : String.valueOf(focused.getAccessibleName());
        });
    }

    /** True if the focused element has an outline and is inside the window. */
    public boolean showsFocus() {
        return Boolean.TRUE.equals(driver().executeScript("""
                const element = document.activeElement;
                const style = getComputedStyle(element);
                const box = element.getBoundingClientRect();
                return element !== document.body && element.matches(':focus-visible')
                    && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2
                    && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
                """));
    }

    /** What makes the page wider than its window; empty if it has no horizontal scroll bar. */
    public List<String> wider() {
        return lines(driver().executeScript("""
                const page = document.documentElement;
                if (page.scrollWidth <= page.clientWidth) return [];
                return ['the page has ' + page.scrollWidth + ' pixels'].concat([...document.querySelectorAll('body *')]
                    .filter(element => element.getBoundingClientRect().right > page.clientWidth + 1)
                    .map(element => element.tagName + ' ' + element.className + ' ' + element.textContent.slice(0, 60)));
                """));
    }

    /** The violations of WCAG 2.2, levels A and AA, in the page as it looks now. */
    public List<String> violations() {
        return Axe.violations(driver(), Axe.ALL);
    }

    /** As {@link #violations()}, of the rules that depend on the theme. */
    public List<String> violationsByColour() {
        return Axe.violations(driver(), Axe.COLOURS);
    }

    /** The errors that the browser's console showed since the last call, violations of the page's policy included. */
    public List<String> errors() {
        return driver().manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(message -> message.getLevel().intValue() >= Level.SEVERE.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    /**
     * Stores the whole page as it looks now, as {@code target/screenshots/NAME-THEME-WIDTH.png}, with the system
     * property {@code registrar.screenshots}: no test looks at it.
     */
    public ConsoleBrowser screenshot(String name) {
        if (!WITH_SCREENSHOTS) {
            return this;
        }
        Map<?, ?> size = (Map<?, ?>) Objects.requireNonNull(
                driver().executeCdpCommand("Page.getLayoutMetrics", Map.of()).get("cssContentSize"));
        double height = ((Number) Objects.requireNonNull(size.get("height"))).doubleValue();
        Map<String, Object> part = Map.of(
                "x", 0, "y", 0, "width", look.width(), "height", Math.min(height, MAX_SCREENSHOT_HEIGHT), "scale", 1);
        Object data = driver().executeCdpCommand(
                        "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true, "clip", part))
                .get("data");
        try {
            Files.createDirectories(SCREENSHOTS);
            Files.write(
                    SCREENSHOTS.resolve("%s-%s.png".formatted(name, look.suffix())),
                    Base64.getDecoder().decode(String.valueOf(data)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return this;
    }

    private static List<String> lines(@Nullable Object result) {
        return ((List<?>) Objects.requireNonNull(result))
                .stream().map(String::valueOf).toList();
    }

    @Override
    public void close() {
        browser.close();
    }
}

package dev.registrar.browser;

import java.util.List;
import java.util.Map;

/** How a page is shown: the size of the window in CSS pixels, and the theme that the reader prefers. */
public enum Look {
    DESK_LIGHT(1280, 800, "light"),
    DESK_DARK(1280, 800, "dark"),
    PHONE_LIGHT(390, 844, "light"),
    PHONE_DARK(390, 844, "dark");

    private final int width;
    private final int height;
    private final String theme;

    Look(int width, int height, String theme) {
        this.width = width;
        this.height = height;
        this.theme = theme;
    }

    /** The parameters of the Chrome DevTools command {@code Emulation.setDeviceMetricsOverride}. */
    Map<String, Object> metrics() {
        return Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false);
    }

    /** The parameters of {@code Emulation.setEmulatedMedia}: without transitions, so that colours are final at once. */
    Map<String, Object> media() {
        return Map.of(
                "features",
                List.of(
                        Map.of("name", "prefers-color-scheme", "value", theme),
                        Map.of("name", "prefers-reduced-motion", "value", "reduce")));
    }

    int width() {
        return width;
    }

    /** True for the first look with this size of the window: a page need not be loaded again for another theme. */
    public boolean isFirstOfItsSize() {
        return theme.equals("light");
    }

    /** The end of a screenshot's name, such as {@code light-1280}. */
    String suffix() {
        return "%s-%s".formatted(theme, width);
    }
}

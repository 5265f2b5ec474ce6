package dev.registrar.autoconfigure;

import java.util.Map;
import java.util.function.Consumer;
import org.springframework.boot.context.properties.bind.Binder;

/** How the library binds settings to its options, by the prefix of the settings. */
public final class LibrarySettings {
    public static final Map<String, Consumer<Binder>> BINDINGS = Map.of(
            "registrar.store", settings -> new OptionsBinder(settings).store(),
            "registrar.projections", settings -> new OptionsBinder(settings).projections(Integer.MAX_VALUE),
            "registrar.live", settings -> new OptionsBinder(settings).live(),
            "registrar.cpu", settings -> new OptionsBinder(settings).cpu());

    private LibrarySettings() {}
}

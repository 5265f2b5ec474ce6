package dev.registrar;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** The code of the product, whether a module is a folder or a jar: no tests, no fixtures of tests. */
final class ProductCode implements ImportOption {
    @Override
    public boolean includes(Location location) {
        return isIn(location.toString());
    }

    static boolean isIn(String location) {
        return !location.contains("/test-classes/")
                && !location.contains("-tests.jar")
                && !location.contains("test-support");
    }
}

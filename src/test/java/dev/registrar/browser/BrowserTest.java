package dev.registrar.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that drives a {@link Browser}. It is skipped where none is installed, unless the system property
 * {@value BrowserInstalled#REQUIRED} is true. {@code .ci/browser} installs one and runs the classes with this tag.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("browser")
@ExtendWith(BrowserInstalled.class)
public @interface BrowserTest {}

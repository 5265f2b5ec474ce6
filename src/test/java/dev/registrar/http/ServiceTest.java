package dev.registrar.http;

import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.testdatabase.TestDatabase;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfiguration;

/**
 * Runs a test against the whole service on a random port; all such tests share one service and its database. A setting
 * that the other tests do not notice belongs to {@link ServiceWithOtherSettingsTest}. A test that needs a service of
 * its own is a thorough one and stops it with {@code @DirtiesContext}: many services that stop at the end of the run
 * would take too long.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ContextConfiguration(initializers = ServiceTest.OnFreshDatabase.class)
public @interface ServiceTest {

    /** Creates the service's database, which is dropped after the service has stopped. */
    final class OnFreshDatabase implements ApplicationContextInitializer<GenericApplicationContext> {
        /* Time-outs so long that they do not expire on a busy machine; a test that needs others sets them. */
        private static final MapPropertySource LONG_TIMEOUTS = new MapPropertySource(
                "long timeouts",
                Map.of(
                        "registrar.store.connection-timeout", "30s",
                        "registrar.store.lock-timeout", "1m",
                        "registrar.store.statement-timeout", "1m",
                        "registrar.store.group.max-wait", "1m",
                        "registrar.projections.longest-wait", "1m"));

        @Override
        public void initialize(GenericApplicationContext service) {
            TestDatabase database = StoreDatabase.migrated();
            service.getDefaultListableBeanFactory().registerDisposableBean("testDatabase", database::close);
            service.getEnvironment()
                    .getPropertySources()
                    .addFirst(new MapPropertySource(
                            "test database",
                            Map.of(
                                    "spring.datasource.url", database.url(),
                                    "spring.datasource.username", database.username(),
                                    "spring.datasource.password", database.password())));
            service.getEnvironment().getPropertySources().addLast(LONG_TIMEOUTS);
        }
    }
}

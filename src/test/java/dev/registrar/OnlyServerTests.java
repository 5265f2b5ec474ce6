package dev.registrar;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * With the system property {@value #PROPERTY}, only tests that use the shared database server run: another server is no
 * reason to repeat the other tests. The compiled classes show which tests use it, so that there is no list to maintain.
 */
public final class OnlyServerTests implements ExecutionCondition {
    static final String PROPERTY = "registrar.test.only-server";

    private static final class Touching {
        static final Set<String> CLASSES = dependents(TestServer.class);
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (!Boolean.getBoolean(PROPERTY)) {
            return ConditionEvaluationResult.enabled("All tests run");
        }
        return context.getTestClass()
                .filter(test -> !touchesServer(test))
                .map(test -> ConditionEvaluationResult.disabled(test + " does not touch the database server"))
                .orElseGet(() -> ConditionEvaluationResult.enabled("It touches the database server"));
    }

    /** Whether a test depends on the server, directly or through a class that it uses. */
    static boolean touchesServer(Class<?> test) {
        return Touching.CLASSES.contains(outermost(test.getName()));
    }

    private static Set<String> dependents(Class<?> server) {
        JavaClasses tests = new ClassFileImporter()
                .importLocations(Set.of(
                        Location.of(server.getProtectionDomain().getCodeSource().getLocation())));
        Set<String> found = new HashSet<>();
        Deque<String> next = new ArrayDeque<>();
        next.add(outermost(server.getName()));
        while (!next.isEmpty()) {
            String name = next.remove();
            if (found.add(name)) {
                tests.stream()
                        .filter(each -> outermost(each.getName()).equals(name))
                        .flatMap(each -> each.getDirectDependenciesToSelf().stream())
                        .map(Dependency::getOriginClass)
                        .map(JavaClass::getName)
                        .map(OnlyServerTests::outermost)
                        .forEach(next::add);
            }
        }
        return found;
    }

    /* A nested class can have dependencies that its outer class does not have. */
    private static String outermost(String name) {
        int inner = name.indexOf('$');
        return inner < 0 ? name : name.substring(0, inner);
    }
}

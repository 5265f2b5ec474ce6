package dev.registrar.eventstore;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ConformanceSuiteTest {
    private static final String SUITE = "dev.registrar.eventstore.tck";

    @Test
    void the_suite_needs_only_the_library_junit_and_assertj() {
        JavaClasses suite = new ClassFileImporter().importPackages(SUITE);

        classes()
                .that()
                .resideInAPackage(SUITE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        SUITE,
                        "dev.registrar.eventstore",
                        "dev.registrar.decision.testkit",
                        "java..",
                        "org.junit.jupiter..",
                        "org.assertj..",
                        "org.jspecify..")
                .check(suite);
    }
}

package dev.registrar;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;

import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.junit.platform.commons.annotation.Testable;

/** A test's name is a claim, short enough to be read in a report. */
@AnalyzeClasses(packages = "dev.registrar", importOptions = ImportOption.OnlyIncludeTests.class)
class TestNamesTest {
    private static final int MAX_LENGTH = 80;

    @ArchTest
    static final ArchRule the_name_of_a_test_has_at_most_80_characters = methods()
            .that()
            .areMetaAnnotatedWith(Testable.class)
            .or()
            .areAnnotatedWith(Testable.class)
            .should(new ArchCondition<>("have at most %d characters".formatted(MAX_LENGTH)) {
                @Override
                public void check(JavaMethod method, ConditionEvents events) {
                    int length = method.getName().length();
                    events.add(new SimpleConditionEvent(
                            method,
                            length <= MAX_LENGTH,
                            "%s has %d characters".formatted(method.getFullName(), length)));
                }
            });
}

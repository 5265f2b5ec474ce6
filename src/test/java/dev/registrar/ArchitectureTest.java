package dev.registrar;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;

/** The libraries that each package may use, in addition to the package graph. */
@AnalyzeClasses(packages = "dev.registrar", importOptions = ProductCode.class)
class ArchitectureTest {

    @ArchTest
    static final ArchRule only_the_store_in_postgresql_the_views_and_tools_of_the_store_speak_sql = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "dev.registrar.eventstore.postgres..",
                    "dev.registrar.autoconfigure",
                    "dev.registrar.console.explorer",
                    "dev.registrar.console.rush",
                    "dev.registrar.dataset",
                    "dev.registrar.embedded",
                    "dev.registrar.projection..",
                    "dev.registrar.subscription",
                    "dev.registrar.catalog")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "java.sql", "javax.sql", "com.zaxxer..", "org.postgresql..", "org.springframework.jdbc..");

    @ArchTest
    static final ArchRule the_contract_the_loop_and_the_rules_know_no_spring = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.registrar.concurrent",
                    "dev.registrar.eventstore..",
                    "dev.registrar.decision..",
                    "dev.registrar.subscription",
                    "dev.registrar.enrollment")
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.springframework..");

    @ArchTest
    static final ArchRule projections_know_of_spring_its_jdbc_client_alone = noClasses()
            .that()
            .resideInAPackage("dev.registrar.projection..")
            .and()
            .doNotHaveSimpleName("package-info")
            .should()
            .dependOnClassesThat(resideInAPackage("org.springframework..")
                    .and(not(resideInAnyPackage("org.springframework.jdbc..", "org.springframework.dao"))));

    @ArchTest
    static final ArchRule concurrency_tools_but_the_metered_executor_and_subscriptions_need_no_library = noClasses()
            .that()
            .resideInAnyPackage("dev.registrar.concurrent", "dev.registrar.subscription")
            .and()
            .haveNameNotMatching(".*\\.CpuExecutor(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.micrometer..", "io.github.resilience4j..", "jakarta..");

    @ArchTest
    static final ArchRule the_library_needs_a_json_library_for_its_json_codec_alone = noClasses()
            .that()
            .resideInAnyPackage(
                    "dev.registrar.concurrent",
                    "dev.registrar.eventstore..",
                    "dev.registrar.decision..",
                    "dev.registrar.projection..",
                    "dev.registrar.subscription..")
            .and()
            .haveNameNotMatching(".*\\.(JsonEventCodec|EventForm)(\\$.*)?")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("tools.jackson..", "com.fasterxml.jackson..");

    @ArchTest
    static final ArchRule rules_and_views_look_at_no_clock = noClasses()
            .that()
            .resideInAnyPackage("dev.registrar.enrollment", "dev.registrar.catalog")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(OffsetDateTime.class, "now")
            .orShould()
            .callMethod(ZonedDateTime.class, "now")
            .orShould()
            .callMethod(LocalDateTime.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(Clock.class);

    @ArchTest
    static final ArchRule followers_take_the_time_from_a_clock_that_can_be_set = noClasses()
            .that()
            .resideInAnyPackage("dev.registrar.projection..", "dev.registrar.subscription")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");
}

package dev.registrar;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.springframework.modulith.core.ApplicationModules;

/**
 * The package graph: Modulith checks the packages that declare their dependencies, ArchUnit the packages inside them.
 */
@AnalyzeClasses(packages = "dev.registrar", importOptions = ProductCode.class)
class PackageGraphTest {

    @ArchTest
    static final ArchRule no_packages_use_each_other =
            slices().matching("dev.registrar.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule within_http_a_dependency_points_down_only = layeredArchitecture()
            .consideringOnlyDependenciesInAnyPackage("dev.registrar.http..")
            .layer("the course office's API")
            .definedBy("dev.registrar.http")
            .layer("address")
            .definedBy("dev.registrar.http.address")
            .layer("description")
            .definedBy("dev.registrar.http.description")
            .layer("failure")
            .definedBy("dev.registrar.http.failure")
            .layer("live")
            .definedBy("dev.registrar.http.live")
            .layer("go-crablet")
            .definedBy("dev.registrar.http.gocrablet")
            .layer("dcb")
            .definedBy("dev.registrar.http.dcb")
            .layer("admission")
            .definedBy("dev.registrar.http.admission")
            .layer("problem")
            .definedBy("dev.registrar.http.problem")
            .whereLayer("the course office's API")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("address")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("description")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("failure")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("live")
            .mayOnlyBeAccessedByLayers("the course office's API")
            .whereLayer("go-crablet")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("dcb")
            .mayOnlyBeAccessedByLayers("the course office's API", "description", "live", "go-crablet")
            .whereLayer("admission")
            .mayOnlyBeAccessedByLayers(
                    "the course office's API", "description", "failure", "live", "dcb", "go-crablet");

    @Test
    void packages_use_only_what_they_declare() {
        ApplicationModules.of(
                        RegistrarApplication.class,
                        describe(
                                "tests",
                                type -> type.getSource()
                                        .filter(source -> !ProductCode.isIn(
                                                source.getUri().toString()))
                                        .isPresent()))
                .verify();
    }
}

package dev.registrar.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of the project that its authors write, relative to its folder. */
final class ProjectFiles {
    private static final Path ROOT = Path.of("");
    private static final List<Path> FOLDERS = Stream.of(
                    ".ci",
                    "benchmarks",
                    "docs",
                    "eventstore",
                    "gatling",
                    "samples",
                    "service",
                    "spring-boot-starter",
                    "src",
                    "tck",
                    "test-support")
            .map(Path::of)
            .toList();
    private static final Set<String> BUILT = Set.of("target", "data", "node_modules");
    private static final Pattern TEXT = Pattern.compile(
            ".*\\.(java|md|sql|ya?ml|properties|json|xml|sh|py|js|css|csv|toml|Dockerfile|ini|conf)|Dockerfile|browser|containers|docs|faults|figures|functions|fuzz|gatling|lines|run|start");

    private ProjectFiles() {}

    /** Documents in Markdown. */
    static List<Path> documents() {
        return files(file -> file.toString().endsWith(".md"));
    }

    /** Sources, scripts, settings and documents. */
    static List<Path> texts() {
        return files(file -> TEXT.matcher(file.getFileName().toString()).matches());
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static List<Path> files(Predicate<Path> kind) {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> top = Files.list(ROOT)) {
            top.filter(Files::isRegularFile).forEach(found::add);
            for (Path folder : FOLDERS) {
                Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                        return BUILT.contains(each.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path each, BasicFileAttributes attributes) {
                        found.add(each);
                        return FileVisitResult.CONTINUE;
                    }
                });
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return found.stream().map(Path::normalize).filter(kind).sorted().toList();
    }
}

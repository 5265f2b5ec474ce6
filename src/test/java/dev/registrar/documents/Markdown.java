package dev.registrar.documents;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A document in Markdown: its lines, code blocks, links and headings. */
final class Markdown {
    /**
     * A line of a document.
     *
     * @param language that of the fenced code block around it, empty for a block without one; null outside of blocks
     */
    record Line(int number, String text, @Nullable String language) {
        boolean isCode() {
            return language != null;
        }
    }

    /** A link, relative or with an address. */
    record Link(int line, String target) {}

    /**
     * A fenced code block.
     *
     * @param line that of its fence
     * @param before the last line before the block that is not blank
     */
    record Block(int line, String language, String before, List<String> lines) {}

    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern HTML = Pattern.compile("(?:href|src)=\"([^\"]+)\"");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");
    private static final Pattern ANCHOR = Pattern.compile("<a (?:id|name)=\"([^\"]+)\"");

    private final List<Line> lines = new ArrayList<>();

    private Markdown() {}

    static Markdown of(Path file) {
        return parse(ProjectFiles.read(file));
    }

    static Markdown parse(String text) {
        Markdown document = new Markdown();
        @Nullable String language = null;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            boolean fence = line.stripLeading().startsWith("```");
            if (fence && language == null) {
                language = line.strip().substring("```".length());
                document.lines.add(new Line(number, line, language));
            } else {
                document.lines.add(new Line(number, line, language));
                language = fence ? null : language;
            }
        }
        return document;
    }

    List<Line> lines() {
        return lines;
    }

    List<Link> links() {
        List<Link> links = new ArrayList<>();
        for (Line line : lines) {
            if (!line.isCode()) {
                String text = CODE.matcher(line.text()).replaceAll("");
                for (Pattern pattern : List.of(LINK, HTML)) {
                    pattern.matcher(text)
                            .results()
                            .map(match -> new Link(line.number(), match.group(1)))
                            .forEach(links::add);
                }
            }
        }
        return links;
    }

    List<String> headings() {
        return lines.stream()
                .filter(line -> !line.isCode() && line.text().matches("#{1,6} .*"))
                .map(line -> line.text().replaceFirst("^#+ +", "").strip())
                .toList();
    }

    /** The anchors of the headings, as GitHub makes them, and those that the document sets itself. */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String heading : headings()) {
            String anchor = heading.replaceAll("]\\([^)]*\\)", "")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                    .replace(' ', '-');
            int earlier = seen.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
        }
        lines.forEach(line -> ANCHOR.matcher(line.text()).results().forEach(match -> anchors.add(match.group(1))));
        return anchors;
    }

    List<Block> blocks() {
        List<Block> blocks = new ArrayList<>();
        String before = "";
        @Nullable Block open = null;
        for (Line line : lines) {
            String language = line.language();
            if (language == null) {
                open = null;
                before = line.text().isBlank() ? before : line.text();
            } else if (open == null) {
                open = new Block(line.number(), language, before, new ArrayList<>());
                blocks.add(open);
            } else if (line.text().stripLeading().startsWith("```")) {
                open = null;
                before = line.text();
            } else {
                open.lines().add(line.text());
            }
        }
        return blocks;
    }
}

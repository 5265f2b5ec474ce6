package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.web.util.HtmlUtils;

/**
 * A table of the page or of a Markdown document.
 *
 * @param rows each with one cell per column; the first cell is the row's name
 */
record Table(String caption, List<Column> columns, List<List<Cell>> rows) {
    /** The content of a column's cells. */
    enum Content {
        WORDS,
        /** Sentences, in a wide column. */
        REMARKS,
        /** Aligned to the right. */
        NUMBERS
    }

    record Column(String name, Content content) {
        static Column words(String name) {
            return new Column(name, Content.WORDS);
        }

        static Column remarks(String name) {
            return new Column(name, Content.REMARKS);
        }

        static Column numbers(String name) {
            return new Column(name, Content.NUMBERS);
        }
    }

    /** @param detail shown in smaller print; may be empty */
    record Cell(String text, String detail) {
        static Cell of(String text) {
            return new Cell(text, "");
        }

        static Cell of(double value) {
            return of(Numbers.text(value));
        }
    }

    Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Cell> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "A row has %s cells, one per column, but was %s".formatted(columns.size(), row));
            }
        }
    }

    /** Returns the table as HTML, in a region that scrolls on a narrow page. */
    String html() {
        String head = columns.stream()
                .map(column -> "<th scope=\"col\"%s>%s</th>".formatted(style(column), escape(column.name())))
                .collect(joining());
        String body = rows.stream().map(this::htmlRow).collect(joining("\n"));
        return """
                <div class="table" role="group" aria-label="%1$s" tabindex="0">
                <table>
                <caption><span>%1$s</span></caption>
                <thead><tr>%2$s</tr></thead>
                <tbody>
                %3$s
                </tbody>
                </table>
                </div>""".formatted(escape(caption), head, body);
    }

    String markdown() {
        String head = columns.stream().map(Column::name).collect(joining(" | ", "| ", " |"));
        String line = columns.stream()
                .map(column -> column.content() == Content.NUMBERS ? "---:" : "---")
                .collect(joining("|", "|", "|"));
        Stream<String> body =
                rows.stream().map(row -> row.stream().map(Table::markdown).collect(joining(" | ", "| ", " |")));
        return Stream.concat(Stream.of(head, line), body).collect(joining("\n"));
    }

    static String escape(String text) {
        return HtmlUtils.htmlEscape(text, "UTF-8");
    }

    private String htmlRow(List<Cell> row) {
        StringBuilder cells = new StringBuilder("<tr>");
        for (int i = 0; i < row.size(); i++) {
            String element = i == 0 ? "th" : "td";
            String scope = i == 0 ? " scope=\"row\"" : "";
            cells.append("<%s%s%s>%s</%1$s>".formatted(element, scope, style(columns.get(i)), content(row.get(i))));
        }
        return cells.append("</tr>").toString();
    }

    private static String content(Cell cell) {
        return cell.detail().isEmpty()
                ? escape(cell.text())
                : "%s<small>%s</small>".formatted(escape(cell.text()), escape(cell.detail()));
    }

    private static String markdown(Cell cell) {
        String text = cell.text().replace("|", "\\|");
        return cell.detail().isEmpty() ? text : "%s<br>`%s`".formatted(text, cell.detail());
    }

    private static String style(Column column) {
        return switch (column.content()) {
            case WORDS -> "";
            case REMARKS -> " class=\"remarks\"";
            case NUMBERS -> " class=\"numbers\"";
        };
    }
}

package dev.registrar.console.explorer;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;
import org.springframework.web.util.UriComponentsBuilder;
import org.springframework.web.util.UriUtils;

/**
 * The part of a form in which a person writes a query: a row for each item, with fields for types and tags. Empty rows
 * are dropped; without any other row the query matches every event. What was sent is kept, valid or not.
 *
 * @param rows one or more
 */
record QueryForm(List<Row> rows) {
    private static final String ADD = "add";
    private static final String REMOVE = "remove";
    /** Maximum number of rows that are read. */
    private static final int MOST = 1_000;

    QueryForm {
        rows = rows.isEmpty() ? List.of(Row.EMPTY) : List.copyOf(rows);
    }

    /**
     * One item.
     *
     * @param types values, of which none is empty
     * @param tags values, of which none is empty
     */
    record Row(List<String> types, List<String> tags) {
        static final Row EMPTY = new Row(List.of(), List.of());

        Row {
            types = filled(types);
            tags = filled(tags);
        }

        private static List<String> filled(List<String> values) {
            return values.stream().filter(value -> !value.isEmpty()).toList();
        }

        public boolean isEmpty() {
            return types.isEmpty() && tags.isEmpty();
        }

        /** The texts of the fields for types, with an empty one at the end. */
        public List<String> typeFields() {
            return fields(types, 1);
        }

        /** The texts of the fields for tags, with empty ones at the end. */
        public List<String> tagFields() {
            return fields(tags, 2);
        }

        private static List<String> fields(List<String> values, int empty) {
            return Stream.concat(
                            values.stream().map(FieldText::of),
                            Stream.generate(() -> "").limit(empty))
                    .toList();
        }

        private Query query() {
            return Query.of(QueryItem.of(types, tags.stream().map(Tag::new).toList()));
        }
    }

    /** The form that a browser has sent, after its buttons for rows have had their effect. */
    static QueryForm of(MultiValueMap<String, String> sent) {
        List<Row> rows = new ArrayList<>();
        for (int number = 0; number < MOST; number++) {
            Row row = new Row(values(sent.get("type" + number)), values(sent.get("tag" + number)));
            if (!row.isEmpty() && !Integer.toString(number).equals(sent.getFirst(REMOVE))) {
                rows.add(row);
            }
        }
        if (sent.containsKey(ADD)) {
            rows.add(Row.EMPTY);
        }
        return new QueryForm(rows);
    }

    private static List<String> values(@Nullable List<String> fields) {
        return fields == null
                ? List.of()
                : fields.stream().map(FieldText::value).toList();
    }

    /** Whether a button for rows was used, after which nothing is searched yet. */
    static boolean isEdited(MultiValueMap<String, String> sent) {
        return sent.containsKey(ADD) || sent.containsKey(REMOVE);
    }

    boolean isEmpty() {
        return rows.stream().allMatch(Row::isEmpty);
    }

    boolean hasTags() {
        return rows.stream().anyMatch(row -> !row.tags().isEmpty());
    }

    /**
     * The query.
     *
     * @throws RefusedInputException with a sentence that says what is wrong with the form
     */
    Query query(StoreLimits limits) {
        List<QueryItem> items = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (!rows.get(i).isEmpty()) {
                items.addAll(checked(rows.get(i).query(), limits, "Item %s: ".formatted(i + 1))
                        .items());
            }
        }
        return checked(items.isEmpty() ? Query.all() : new Query(items), limits, "");
    }

    private static Query checked(Query query, StoreLimits limits, String subject) {
        try {
            limits.check(query);
            return query;
        } catch (RefusedInputException refused) {
            String sentence = subject + refused.getMessage();
            throw new RefusedInputException(sentence.endsWith(".") ? sentence : sentence + ".");
        }
    }

    /**
     * The address of a page with this form, without its empty rows.
     *
     * @param more names and values of further parameters in turn
     */
    public String address(String path, Object... more) {
        UriComponentsBuilder address = UriComponentsBuilder.fromPath(path);
        int number = 0;
        for (Row row : rows) {
            add(address, "type" + number, row.types());
            add(address, "tag" + number, row.tags());
            number += row.isEmpty() ? 0 : 1;
        }
        for (int i = 0; i < more.length; i += 2) {
            address.queryParam(more[i].toString(), UriUtils.encode(more[i + 1].toString(), UTF_8));
        }
        return address.build(true).toUriString();
    }

    private static void add(UriComponentsBuilder address, String name, List<String> values) {
        values.forEach(value -> address.queryParam(name, UriUtils.encode(FieldText.of(value), UTF_8)));
    }
}

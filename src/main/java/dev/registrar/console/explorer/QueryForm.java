package dev.registrar.console.explorer;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * The part of a form in which a person writes a query: a row for each item, with fields for types and tags. Empty rows
 * are dropped; without any other row the query matches every event. What was sent is kept, valid or not.
 *
 * @param rows one or more
 */
record QueryForm(List<Row> rows) {
    private static final String ADD = "add";
    private static final String REMOVE = "remove";

    private static final Pattern FIELD = Pattern.compile("(type|tag)([0-9]{1,3})");
    private static final int EMPTY_TYPES = 1;
    private static final int EMPTY_TAGS = 2;

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
            types = List.copyOf(types);
            tags = List.copyOf(tags);
        }

        private Row with(Row other) {
            return new Row(both(types, other.types), both(tags, other.tags));
        }

        private static List<String> both(List<String> some, List<String> others) {
            return Stream.concat(some.stream(), others.stream()).toList();
        }

        boolean isEmpty() {
            return types.isEmpty() && tags.isEmpty();
        }

        /** The texts of the fields for types, with an empty one at the end. */
        public List<String> typeFields() {
            return fields(types, EMPTY_TYPES);
        }

        /** The texts of the fields for tags, with empty ones at the end. */
        public List<String> tagFields() {
            return fields(tags, EMPTY_TAGS);
        }

        private static List<String> fields(List<String> values, int empty) {
            List<String> fields =
                    new ArrayList<>(values.stream().map(FieldText::of).toList());
            for (int i = 0; i < empty; i++) {
                fields.add("");
            }
            return fields;
        }

        private QueryItem item() {
            return QueryItem.of(types, tags.stream().map(Tag::new).toList());
        }
    }

    /**
     * A query, or why there is none.
     *
     * @param query null if the form is wrong
     * @param error a sentence; null if the form is right
     */
    record Parsed(@Nullable Query query, @Nullable String error) {}

    /** The form of a query. */
    static QueryForm of(Query query) {
        return new QueryForm(query.items().stream()
                .map(item -> new Row(
                        List.copyOf(item.types()),
                        item.tags().stream().map(Tag::value).toList()))
                .toList());
    }

    /** The form that a browser has sent, after its buttons for rows have had their effect. */
    static QueryForm of(MultiValueMap<String, String> sent) {
        Map<Integer, Row> rows = new TreeMap<>();
        sent.forEach((name, values) -> {
            Matcher field = FIELD.matcher(name);
            if (field.matches()) {
                List<String> given = values.stream()
                        .map(FieldText::value)
                        .filter(value -> !value.isEmpty())
                        .toList();
                rows.merge(
                        Integer.valueOf(field.group(2)),
                        field.group(1).equals("type") ? new Row(given, List.of()) : new Row(List.of(), given),
                        Row::with);
            }
        });
        List<Row> all = new ArrayList<>();
        rows.forEach((number, row) -> {
            if (!row.isEmpty() && !number.toString().equals(sent.getFirst(REMOVE))) {
                all.add(row);
            }
        });
        if (sent.containsKey(ADD)) {
            all.add(Row.EMPTY);
        }
        return new QueryForm(all);
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

    /** The query, or a sentence that says what is wrong with the form. */
    Parsed parse(StoreLimits limits) {
        List<QueryItem> items = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).isEmpty()) {
                continue;
            }
            try {
                QueryItem item = rows.get(i).item();
                limits.check(Query.of(item));
                items.add(item);
            } catch (RefusedInputException refused) {
                return wrong("Item %d: %s".formatted(i + 1, refused.getMessage()));
            }
        }
        Query query = items.isEmpty() ? Query.all() : new Query(items);
        try {
            limits.check(query);
            return new Parsed(query, null);
        } catch (RefusedInputException refused) {
            return wrong(String.valueOf(refused.getMessage()));
        }
    }

    private static Parsed wrong(String error) {
        return new Parsed(null, error.endsWith(".") ? error : error + ".");
    }

    /** Adds the parameters that make this form again, without its empty rows. */
    Address in(Address address) {
        int number = 0;
        for (Row row : rows) {
            if (row.isEmpty()) {
                continue;
            }
            for (String type : row.types()) {
                address.with("type" + number, FieldText.of(type));
            }
            for (String tag : row.tags()) {
                address.with("tag" + number, FieldText.of(tag));
            }
            number++;
        }
        return address;
    }
}

package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of requests as the columns that the stored functions take: one entry a query item, in order. The first
 * two tags have columns of their own, because most items have at most two; the column of all tags is null for these.
 * Numbers start at 1.
 */
final class ConditionColumns {
    final int size;
    final int[] requests;
    final long[] afters;
    /** The number of the head that the item's condition rests on; 0 for none. */
    final int[] headNumbers;

    final @Nullable String[] firstTags;
    final @Nullable String[] secondTags;
    final @Nullable String[] tags;
    final String[] types;
    private final Map<Head, Integer> heads = new LinkedHashMap<>();

    static ConditionColumns of(List<AppendEntry> group) {
        return new ConditionColumns(group.stream().map(AppendEntry::request).toList());
    }

    ConditionColumns(List<Append> appends) {
        size = appends.stream().mapToInt(ConditionColumns::items).sum();
        requests = new int[size];
        afters = new long[size];
        headNumbers = new int[size];
        firstTags = new String[size];
        secondTags = new String[size];
        tags = new String[size];
        types = new String[size];
        int n = 0;
        for (int i = 0; i < appends.size(); i++) {
            for (AppendCondition condition : appends.get(i).conditions()) {
                int head = condition.basis() == null ? 0 : number(condition.basis());
                for (QueryItem item : condition.failIfEventsMatch().items()) {
                    requests[n] = i + 1;
                    afters[n] = condition.after().value();
                    headNumbers[n] = head;
                    set(n, item);
                    n++;
                }
            }
        }
    }

    private void set(int n, QueryItem item) {
        Iterator<Tag> each = item.tags().iterator();
        firstTags[n] = each.hasNext() ? each.next().value() : null;
        secondTags[n] = each.hasNext() ? each.next().value() : null;
        tags[n] = item.tags().isEmpty() || each.hasNext() ? ArrayText.of(texts(item.tags())) : null;
        types[n] = ArrayText.of(item.types());
    }

    /** The number of query items of a request's conditions. */
    static int items(Append request) {
        int items = 0;
        for (AppendCondition condition : request.conditions()) {
            items += condition.failIfEventsMatch().items().size();
        }
        return items;
    }

    static List<String> texts(Set<Tag> tags) {
        List<String> texts = new ArrayList<>(tags.size());
        for (Tag tag : tags) {
            texts.add(tag.value());
        }
        return texts;
    }

    /** The number of a head, which is added if it is new. */
    int number(Head head) {
        return heads.computeIfAbsent(head, added -> heads.size() + 1);
    }

    /** The heads in the order of their numbers. */
    Set<Head> heads() {
        return heads.keySet();
    }
}

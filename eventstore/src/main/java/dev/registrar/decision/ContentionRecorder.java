package dev.registrar.decision;

import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Counts conflicts, retries and waiting decisions by query item over the last minutes, in bounded memory: at most
 * {@value #MOST_ITEMS} items, of which it keeps the most active ones. Of the latest {@value #LATEST_CONFLICTS}
 * conflicts of an item it also keeps what lost, and to which type of event.
 *
 * <p>Safe for use by any number of threads. It is called only where a conflict is already known, or where a decision
 * has waited in a queue. An append that meets no competition does not touch it.
 */
public final class ContentionRecorder {
    /*
     * The items are chosen as in the algorithm Space-Saving (Metwally, Agrawal, El Abbadi: Efficient Computation of
     * Frequent and Top-k Elements in Data Streams, ICDT 2005). When an item appears and there is no room, it replaces
     * the item with the least activity and inherits that activity as the bound of its error. So an item with more than
     * 1/MOST_ITEMS of the activity cannot be missing, and what an item shows is too low by no more than it inherited.
     * In the paper the counters only grow. Here they are counters of time slices: activity expires slice by slice, and
     * inherited activity expires together with the slice in which it was counted.
     *
     * The monitor guards everything. A caller holds it for some additions after a round trip to the database, and
     * for a pass over the items at most once in a slice or when it replaces an item.
     */

    /** The period over which conflicts are counted. */
    public static final Duration WINDOW = Duration.ofMinutes(5);

    /** The resolution of the counts; counts expire one slice at a time. */
    public static final Duration SLICE = Duration.ofSeconds(10);

    /** The maximum number of items. */
    public static final int MOST_ITEMS = 200;

    /** The maximum number of conflicts of an item of which the recorder keeps the loser and the winner. */
    public static final int LATEST_CONFLICTS = 20;

    private static final int SLICES = Math.toIntExact(WINDOW.dividedBy(SLICE));
    /** Characters of the types that are kept of an item, and of its tags. */
    private static final int LONGEST_TEXT = 500;
    /** Characters that are kept of the names of a loser and a winner. */
    private static final int LONGEST_NAME = 100;

    private static final Comparator<Map.Entry<QueryItem, Counts>> BY_ACTIVITY =
            Map.Entry.comparingByValue(Comparator.comparingLong(Counts::active));

    private final InstantSource clock;
    private final int mostItems;
    private final Map<QueryItem, Counts> items = new HashMap<>();
    private long slice;

    /** What lost a race, to which type of event, and in which slice. */
    private record LostRace(String loser, String winner, long slice) {}

    private enum Kind {
        CONFLICTS,
        RETRIES,
        GAVE_UP,
        /** The longest queue of a slice. */
        QUEUE,
        /** The activity of the items that this item has replaced. */
        INHERITED
    }

    /** The counts of one item, by slice and kind. Their sum is the item's activity. */
    private static final class Counts {
        private final NavigableMap<Long, Map<Kind, Long>> slices = new TreeMap<>();
        private final Deque<LostRace> lostRaces = new ArrayDeque<>();
        private long active;

        void add(Kind kind, long slice, long count) {
            slices.computeIfAbsent(slice, none -> new EnumMap<>(Kind.class)).merge(kind, count, Long::sum);
            active += count;
        }

        void lost(LostRace race) {
            if (lostRaces.size() == LATEST_CONFLICTS) {
                lostRaces.removeFirst();
            }
            lostRaces.addLast(race);
        }

        void inherit(Counts replaced) {
            replaced.slices.forEach((slice, counts) -> add(Kind.INHERITED, slice, sum(counts.values().stream())));
        }

        /** Whether nothing is left without the slices before the given one, which are forgotten. */
        boolean isOver(long first) {
            slices.headMap(first).clear();
            active = sum(slices.values().stream().flatMap(counts -> counts.values().stream()));
            return active == 0;
        }

        long at(Kind kind, long slice) {
            return slices.getOrDefault(slice, Map.of()).getOrDefault(kind, 0L);
        }

        LongStream all(Kind kind) {
            return slices.values().stream().mapToLong(counts -> counts.getOrDefault(kind, 0L));
        }

        long active() {
            return active;
        }

        private static long sum(Stream<Long> counts) {
            return counts.mapToLong(Long::longValue).sum();
        }
    }

    /** Creates a recorder whose slices follow a clock. */
    public ContentionRecorder(InstantSource clock) {
        this(clock, MOST_ITEMS);
    }

    private ContentionRecorder(InstantSource clock, int mostItems) {
        this.clock = clock;
        this.mostItems = mostItems;
    }

    /** A recorder that records nothing. */
    public static ContentionRecorder off() {
        return new ContentionRecorder(InstantSource.system(), 0);
    }

    /**
     * Records that an append failed because a new event matched an item.
     *
     * @param loser what wanted to append: the type of a command, or words for another append
     * @param winner the type of the event that matched
     */
    public void conflict(QueryItem item, String loser, String winner) {
        record(item, counts -> {
            counts.add(Kind.CONFLICTS, slice, 1);
            counts.lost(new LostRace(shortName(loser), shortName(winner), slice));
        });
    }

    /** Records a further attempt after a conflict. */
    void retry(QueryItem item) {
        record(item, counts -> counts.add(Kind.RETRIES, slice, 1));
    }

    /** Records a decision that ended without a verdict. */
    void gaveUp(QueryItem item) {
        record(item, counts -> counts.add(Kind.GAVE_UP, slice, 1));
    }

    /** Records the length of an item's wait queue when a batch is taken. */
    void queue(QueryItem item, int length) {
        record(item, counts -> counts.add(Kind.QUEUE, slice, Math.max(0, length - counts.at(Kind.QUEUE, slice))));
    }

    private synchronized void record(QueryItem item, Consumer<Counts> change) {
        if (mostItems == 0) {
            return;
        }
        QueryItem kept = shortened(item);
        advance();
        Counts counts = items.get(kept);
        if (counts == null) {
            counts = new Counts();
            if (items.size() == mostItems) {
                replaceLeastActive(counts);
            }
            items.put(kept, counts);
        }
        change.accept(counts);
    }

    private void replaceLeastActive(Counts heir) {
        Map.Entry<QueryItem, Counts> least = Collections.min(items.entrySet(), BY_ACTIVITY);
        heir.inherit(least.getValue());
        items.remove(least.getKey());
    }

    /* Forgets the slices that have expired. A clock that is set back a little keeps counting in the latest slice. */
    private void advance() {
        long now = Math.floorDiv(clock.millis(), SLICE.toMillis());
        if (now <= slice - SLICES) {
            items.clear();
            slice = now;
        } else if (now > slice) {
            items.values().removeIf(counts -> counts.isOver(now - SLICES + 1));
            slice = now;
        }
    }

    /**
     * The items with activity during the window, the most active first, and then items for which decisions wait that no
     * batch has taken yet.
     *
     * @param waiting the decisions that wait now, by item
     */
    synchronized List<ItemContention> latest(Map<QueryItem, Integer> waiting) {
        Map<QueryItem, Integer> now = new HashMap<>();
        waiting.forEach((item, decisions) -> now.merge(shortened(item), decisions, Integer::sum));
        advance();
        Map<QueryItem, Counts> all = new HashMap<>(items);
        now.keySet().forEach(item -> all.putIfAbsent(item, new Counts()));
        return all.entrySet().stream()
                .sorted(BY_ACTIVITY
                        .thenComparing(entry -> now.getOrDefault(entry.getKey(), 0))
                        .reversed())
                .limit(mostItems)
                .map(entry -> contention(entry.getKey(), entry.getValue(), now.getOrDefault(entry.getKey(), 0)))
                .toList();
    }

    private ItemContention contention(QueryItem item, Counts counts, int waiting) {
        return new ItemContention(
                item,
                counts.all(Kind.CONFLICTS).sum(),
                counts.all(Kind.RETRIES).sum(),
                counts.all(Kind.GAVE_UP).sum(),
                Math.toIntExact(counts.all(Kind.QUEUE).max().orElse(0)),
                waiting,
                counts.all(Kind.INHERITED).sum(),
                LongStream.rangeClosed(slice - SLICES + 1, slice)
                        .mapToObj(past -> counts.at(Kind.CONFLICTS, past))
                        .toList(),
                lostRaces(counts));
    }

    /* The most frequent ones first, and of equally frequent ones the latest. */
    private List<ItemContention.LostRaces> lostRaces(Counts counts) {
        Map<ItemContention.LostRaces, Integer> times = new LinkedHashMap<>();
        for (LostRace race : counts.lostRaces.reversed()) {
            if (race.slice > slice - SLICES) {
                times.merge(new ItemContention.LostRaces(race.loser, race.winner, 0), 1, Integer::sum);
            }
        }
        return times.entrySet().stream()
                .map(entry -> new ItemContention.LostRaces(
                        entry.getKey().loser(), entry.getKey().winner(), entry.getValue()))
                .sorted(Comparator.comparingInt(ItemContention.LostRaces::times).reversed())
                .toList();
    }

    /** The item as the recorder keeps it: the same one, or its beginning if its text is very long. */
    static QueryItem shortened(QueryItem item) {
        List<String> tags = item.tags().stream().map(Tag::value).toList();
        if (length(item.types()) <= LONGEST_TEXT && length(tags) <= LONGEST_TEXT) {
            return item;
        }
        return QueryItem.of(
                beginning(item.types()), beginning(tags).stream().map(Tag::new).toList());
    }

    private static String shortName(String name) {
        return name.length() <= LONGEST_NAME ? name : upTo(LONGEST_NAME, name) + "…";
    }

    private static int length(Collection<String> texts) {
        return texts.stream().mapToInt(String::length).sum();
    }

    private static Set<String> beginning(Collection<String> texts) {
        Set<String> beginning = new LinkedHashSet<>();
        int room = LONGEST_TEXT;
        for (String text : texts) {
            if (text.length() > room) {
                beginning.add(upTo(room, text) + "…");
                break;
            }
            beginning.add(text);
            room -= text.length();
        }
        return beginning;
    }

    private static String upTo(int length, String text) {
        boolean splits = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
        return text.substring(0, splits ? length - 1 : length);
    }
}

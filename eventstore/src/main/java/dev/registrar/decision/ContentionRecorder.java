package dev.registrar.decision;

import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
import java.util.Set;
import java.util.function.ObjIntConsumer;
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
     * In the paper the counters only grow. Here they are rings of time slices: activity expires slice by slice, and
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

    /** The counts of one item, in rings of slices. Their sum is the item's activity. */
    private static final class Counts {
        private final Map<Kind, long[]> rings = new EnumMap<>(Kind.class);
        private final Deque<LostRace> lostRaces = new ArrayDeque<>();
        private long active;

        void add(Kind kind, int at, long count) {
            ring(kind)[at] += count;
            active += count;
        }

        void lost(LostRace race) {
            if (lostRaces.size() == LATEST_CONFLICTS) {
                lostRaces.removeFirst();
            }
            lostRaces.addLast(race);
        }

        void clear(int at) {
            for (long[] ring : rings.values()) {
                active -= ring[at];
                ring[at] = 0;
            }
        }

        void inherit(Counts replaced) {
            for (long[] ring : replaced.rings.values()) {
                for (int at = 0; at < SLICES; at++) {
                    add(Kind.INHERITED, at, ring[at]);
                }
            }
        }

        private long[] ring(Kind kind) {
            return rings.computeIfAbsent(kind, none -> new long[SLICES]);
        }

        long at(Kind kind, int at) {
            return ring(kind)[at];
        }

        LongStream all(Kind kind) {
            return LongStream.of(ring(kind));
        }

        long active() {
            return active;
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
        record(item, (counts, at) -> {
            counts.add(Kind.CONFLICTS, at, 1);
            counts.lost(new LostRace(shortName(loser), shortName(winner), slice));
        });
    }

    /** Records a further attempt after a conflict. */
    void retry(QueryItem item) {
        record(item, (counts, at) -> counts.add(Kind.RETRIES, at, 1));
    }

    /** Records a decision that ended without a verdict. */
    void gaveUp(QueryItem item) {
        record(item, (counts, at) -> counts.add(Kind.GAVE_UP, at, 1));
    }

    /** Records the length of an item's wait queue when a batch is taken. */
    void queue(QueryItem item, int length) {
        record(item, (counts, at) -> counts.add(Kind.QUEUE, at, Math.max(0, length - counts.at(Kind.QUEUE, at))));
    }

    private synchronized void record(QueryItem item, ObjIntConsumer<Counts> change) {
        if (mostItems == 0) {
            return;
        }
        QueryItem kept = shortened(item);
        int at = advance();
        Counts counts = items.get(kept);
        if (counts == null) {
            counts = new Counts();
            if (items.size() == mostItems) {
                replaceLeastActive(counts);
            }
            items.put(kept, counts);
        }
        change.accept(counts, at);
    }

    private void replaceLeastActive(Counts heir) {
        Map.Entry<QueryItem, Counts> least = Collections.min(items.entrySet(), BY_ACTIVITY);
        heir.inherit(least.getValue());
        items.remove(least.getKey());
    }

    /* Clears the slices that have expired. A clock that is set back a little keeps counting in the latest slice. */
    private int advance() {
        long now = Math.floorDiv(clock.millis(), SLICE.toMillis());
        long passed = now - slice;
        if (passed >= SLICES || passed <= -SLICES) {
            items.clear();
            slice = now;
        } else if (passed > 0) {
            for (long expired = slice + 1; expired <= now; expired++) {
                int at = Math.floorMod(expired, SLICES);
                items.values().forEach(counts -> counts.clear(at));
            }
            items.values().removeIf(counts -> counts.active == 0);
            slice = now;
        }
        return Math.floorMod(slice, SLICES);
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
        Stream<ItemContention> active = items.entrySet().stream()
                .sorted(BY_ACTIVITY.reversed())
                .map(entry -> contention(entry.getKey(), entry.getValue(), now.getOrDefault(entry.getKey(), 0)));
        Stream<ItemContention> first = now.entrySet().stream()
                .filter(entry -> !items.containsKey(entry.getKey()))
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(entry -> contention(entry.getKey(), new Counts(), entry.getValue()));
        return Stream.concat(active, first).limit(mostItems).toList();
    }

    private ItemContention contention(QueryItem item, Counts counts, int waiting) {
        List<Long> conflicts = new ArrayList<>(SLICES);
        for (long past = slice - SLICES + 1; past <= slice; past++) {
            conflicts.add(counts.at(Kind.CONFLICTS, Math.floorMod(past, SLICES)));
        }
        return new ItemContention(
                item,
                counts.all(Kind.CONFLICTS).sum(),
                counts.all(Kind.RETRIES).sum(),
                counts.all(Kind.GAVE_UP).sum(),
                Math.toIntExact(counts.all(Kind.QUEUE).max().orElse(0)),
                waiting,
                counts.all(Kind.INHERITED).sum(),
                conflicts,
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
        int length = 0;
        for (String text : texts) {
            length += text.length();
        }
        return length;
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

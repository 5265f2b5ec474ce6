package dev.registrar.enrollment;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * A persistent set of ids of courses or students that takes about one byte for each character: a changed set shares
 * what did not change with the one before.
 */
public final class IdSet extends AbstractSet<String> {
    /*
     * Each page is one text with the ids of a range, every id between line feeds, which no id contains. A page that
     * becomes too long is split in the middle of its range. So a change copies one page, and a search looks through one.
     */
    private static final String END = "\n";
    private static final int MAX_PAGE_LENGTH = 1_024;

    static final IdSet EMPTY = new IdSet(TreePMap.singleton("", END), 0, 0);

    /** The pages by the least id that each may have. */
    private final TreePMap<String, String> pages;

    private final int size;
    private final int characters;

    private IdSet(TreePMap<String, String> pages, int size, int characters) {
        this.pages = pages;
        this.size = size;
        this.characters = characters;
    }

    IdSet plus(String id) {
        Map.Entry<String, String> page = page(id);
        if (page.getValue().contains(END + id + END)) {
            return this;
        }
        String longer = page.getValue() + id + END;
        return new IdSet(
                longer.length() <= MAX_PAGE_LENGTH ? pages.plus(page.getKey(), longer) : split(page.getKey(), longer),
                size + 1,
                characters + id.length() + END.length());
    }

    IdSet minus(String id) {
        Map.Entry<String, String> page = page(id);
        String shorter = page.getValue().replace(END + id + END, END);
        return shorter.length() == page.getValue().length()
                ? this
                : new IdSet(
                        pages.plus(page.getKey(), shorter),
                        size - 1,
                        shorter.length() - page.getValue().length() + characters);
    }

    private TreePMap<String, String> split(String first, String page) {
        String[] ids = ids(page);
        Arrays.sort(ids);
        int half = ids.length / 2;
        return pages.plus(first, page(ids, 0, half)).plus(ids[half], page(ids, half, ids.length));
    }

    private static String page(String[] ids, int from, int to) {
        return END + String.join(END, List.of(ids).subList(from, to)) + END;
    }

    private static String[] ids(String page) {
        return page.length() == END.length()
                ? new String[0]
                : page.substring(END.length()).split(END, 0);
    }

    private Map.Entry<String, String> page(String id) {
        return pages.floorEntry(id);
    }

    /** The memory of the ids in KB, rounded up. */
    int kilobytes() {
        return Math.ceilDiv(characters, 1_024);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(@Nullable Object id) {
        return id instanceof String text && page(text).getValue().contains(END + text + END);
    }

    @Override
    public Iterator<String> iterator() {
        return pages.values().stream().flatMap(page -> Arrays.stream(ids(page))).iterator();
    }
}

package dev.registrar.enrollment;

import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * A persistent set of ids of courses or students in pages of at most 1,024 characters: a changed set shares what did
 * not change with the one before. It takes one byte for each character, and about 150 for each page.
 */
public final class IdSet extends AbstractSet<String> {
    /*
     * Each page is one text with the ids of a range, every id between line feeds, which no id contains. A page that
     * becomes too long is split in the middle of its ids. One that becomes empty is removed, unless it is the first:
     * its range then belongs to the page before. So a change copies one page, and a search looks through one.
     */
    private static final String END = "\n";
    private static final String FIRST = "";
    private static final int MAX_PAGE_LENGTH = 1_024;
    /** A node of the tree, the least id, and the header of the text. */
    private static final int PAGE_BYTES = 150;

    static final IdSet EMPTY = new IdSet(TreePMap.singleton(FIRST, END), 0, 0);

    /** The pages by the least id that each may have. */
    private final TreePMap<String, String> pages;

    private final int size;
    private final int characters;

    private IdSet(TreePMap<String, String> pages, int size, int characters) {
        this.pages = pages;
        this.size = size;
        this.characters = characters;
    }

    /** The set that has these {@link #pages}. */
    static IdSet of(Map<String, String> pages) {
        int size = 0;
        int characters = 0;
        for (String page : pages.values()) {
            if (!page.startsWith(END) || !page.endsWith(END)) {
                throw new IllegalArgumentException(
                        "A page of ids begins and ends with a line feed, but one has %s characters and does not"
                                .formatted(page.length()));
            }
            characters += page.length() - END.length();
            size += (int) page.chars()
                            .filter(character -> character == END.charAt(0))
                            .count()
                    - 1;
        }
        if (!pages.containsKey(FIRST)) {
            throw new IllegalArgumentException("A set of ids has a first page");
        }
        return new IdSet(TreePMap.from(pages), size, characters);
    }

    /** The pages of ids, by the least id that each may have. */
    Map<String, String> pages() {
        return pages;
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
        if (shorter.length() == page.getValue().length()) {
            return this;
        }
        boolean isNeeded = shorter.length() > END.length() || page.getKey().equals(FIRST);
        return new IdSet(
                isNeeded ? pages.plus(page.getKey(), shorter) : pages.minus(page.getKey()),
                size - 1,
                characters - id.length() - END.length());
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

    /** The memory of the ids and of all pages but the first, in KB, rounded up. */
    int kilobytes() {
        return Math.ceilDiv(characters + (pages.size() - 1) * PAGE_BYTES, 1_024);
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

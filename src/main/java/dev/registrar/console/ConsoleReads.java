package dev.registrar.console;

import dev.registrar.catalog.Clashes;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.Position;
import dev.registrar.http.download.CatalogFiles;
import dev.registrar.projection.SearchedTables;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import dev.registrar.projection.ViewAt;
import dev.registrar.projection.ViewBehindException;
import dev.registrar.projection.ViewReader;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.support.RequestContextUtils;

/** Reads views for pages. After a command the page shows its effect. */
@Component
public final class ConsoleReads implements CatalogFiles.Reads {
    /** The request attribute that is set if a page shows a view that is behind what the page should contain. */
    static final String BEHIND = ConsoleReads.class.getName();

    /** The request attribute that is set if a page shows a view that is paused or stopped. */
    static final String NOT_RUNNING = ConsoleReads.class.getName() + ".notRunning";

    private static final String POSITION = Position.class.getName();

    private final ViewReader reader;
    private final HttpServletRequest request;

    /** @param request the current request of the calling thread */
    ConsoleReads(ViewReader reader, HttpServletRequest request) {
        this.reader = reader;
        this.request = request;
    }

    /**
     * Queries a view when it has reached the visitor's last command. If it does not reach it in time, or is paused or
     * stopped, the page says that it is not up to date.
     */
    @Override
    public <T> ViewAt<T> read(View view, Function<Tables, T> query) {
        return read(view, Position.START, query);
    }

    /** As {@link #read(View, Function)}, but waits for a further position, such as that of another view on the page. */
    public <T> ViewAt<T> read(View view, Position atLeast, Function<Tables, T> query) {
        return noted(atLeast, after -> reader.read(view, after, query));
    }

    /** As {@link #read(View, Function)}, for a query that may look at many rows. */
    @Override
    public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
        return noted(Position.START, after -> reader.search(view, after, query));
    }

    @Override
    public ConsoleReads ofPrimary() {
        return new ConsoleReads(reader.ofPrimary(), request);
    }

    private <T> ViewAt<T> noted(Position atLeast, Function<Position, ViewAt<T>> look) {
        ViewAt<T> read = readOrNote(atLeast, look);
        if (!read.isRunning()) {
            request.setAttribute(NOT_RUNNING, true);
        }
        return read;
    }

    private <T> ViewAt<T> readOrNote(Position atLeast, Function<Position, ViewAt<T>> look) {
        if (request.getAttribute(BEHIND) != null) {
            // Another view of the page was behind after the whole wait; a page waits once.
            return look.apply(Position.START);
        }
        Position own = position();
        try {
            return look.apply(own.isAfter(atLeast) ? own : atLeast);
        } catch (ViewBehindException behind) {
            request.setAttribute(BEHIND, true);
            return look.apply(Position.START);
        }
    }

    /** Lets the page to which a form leads wait until its views contain an event. */
    public void nextPageWaitsFor(Position event) {
        RequestContextUtils.getOutputFlashMap(request).put(POSITION, event);
    }

    /**
     * What searches find once views have the event of this request's command.
     *
     * @return empty if a view does not have the event in time, or a search takes too long
     */
    public <T> Optional<T> afterCommand(Function<Clashes.Searches, T> query) {
        Position event =
                (Position) RequestContextUtils.getOutputFlashMap(request).get(POSITION);
        try {
            return Optional.of(query.apply(new SearchesAt(reader, event == null ? Position.START : event)));
        } catch (ViewBehindException | EventStoreException unreadable) {
            return Optional.empty();
        }
    }

    private record SearchesAt(ViewReader reader, Position position) implements Clashes.Searches {
        @Override
        public <T> ViewAt<T> search(View view, Function<SearchedTables, T> query) {
            return reader.search(view, position, query);
        }
    }

    private Position position() {
        Map<String, ?> flash = RequestContextUtils.getInputFlashMap(request);
        return flash != null && flash.get(POSITION) instanceof Position position ? position : Position.START;
    }
}

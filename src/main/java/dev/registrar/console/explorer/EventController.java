package dev.registrar.console.explorer;

import dev.registrar.console.Visitor;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.admission.ReadsPayloads;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/** One event, its payload as a file, and its cause. */
@Controller
@RequestMapping(EventsController.PATH + "/{position}")
final class EventController {
    private final EventStore store;
    private final Stored stored;
    private final CauseSearch causes;

    EventController(EventStore store, Stored stored, CauseSearch causes) {
        this.store = store;
        this.stored = stored;
        this.causes = causes;
    }

    @ReadsPayloads
    @GetMapping
    String event(@PathVariable String position, Visitor visitor, Model model) {
        SequencedEvent event = find(position);
        model.addAttribute("event", event);
        model.addAttribute("head", store.head().position().value());
        if (visitor.showsAuditors()) {
            model.addAttribute("payload", ReadableJson.of(event.event().payload()));
            model.addAttribute("metadata", ReadableJson.of(event.event().metadata()));
            model.addAttribute(
                    "origin", EventMetadata.parse(event.event().metadata()).orElse(null));
        }
        return "console/explorer/event";
    }

    @ReadsPayloads
    @GetMapping("/payload")
    ResponseEntity<byte[]> payload(@PathVariable String position) {
        SequencedEvent event = find(position);
        return ResponseEntity.ok()
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header(
                        HttpHeaders.CONTENT_DISPOSITION,
                        ContentDisposition.attachment()
                                .filename("event-%s.txt".formatted(event.position()))
                                .build()
                                .toString())
                .body(event.event().payload().getBytes(StandardCharsets.UTF_8));
    }

    @ReadsPayloads
    @GetMapping("/cause")
    String cause(@PathVariable String position, @RequestParam(required = false) @Nullable String at, Model model) {
        SequencedEvent event = find(position);
        String causation = EventMetadata.parse(event.event().metadata())
                .map(EventMetadata::causationId)
                .orElse(null);
        if (causation == null) {
            throw unknown();
        }
        CauseSearch.Found found = causes.search(event, causation, at == null ? null : Positions.parse(at));
        if (found.position() != null) {
            return "redirect:%s/%s".formatted(EventsController.PATH, found.position());
        }
        model.addAttribute("position", event.position().value());
        model.addAttribute("causation", causation);
        model.addAttribute("searched", found);
        return "console/explorer/cause";
    }

    private SequencedEvent find(String text) {
        Position position = Positions.parse(text);
        if (position == null) {
            throw unknown();
        }
        return stored.at(position).orElseThrow(() -> missing(position));
    }

    private ResponseStatusException missing(Position position) {
        Position head = store.head().position();
        return position.isAfter(head)
                ? new ResponseStatusException(
                        HttpStatus.NOT_FOUND,
                        "There is no event %s yet: the store's head is at position %s.".formatted(position, head))
                : unknown();
    }

    private static ResponseStatusException unknown() {
        return new ResponseStatusException(HttpStatus.NOT_FOUND);
    }
}

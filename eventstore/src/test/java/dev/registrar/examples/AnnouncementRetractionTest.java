package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.examples.AnnouncementRetractionTest.Announcements.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A course's announcement is posted once per token, so a form that is sent twice posts once. A retraction makes the
 * token usable again: the same form, corrected, posts a new announcement.
 *
 * @see RecordDuplicationTest for a token that stays used
 */
@OnEveryStore
class AnnouncementRetractionTest {
    private final ExampleStore example;
    private final Announcements announcements;

    AnnouncementRetractionTest(ExampleStore example) {
        this.example = example;
        this.announcements = new Announcements(example.emptied());
    }

    record AnnouncementPosted(String announcement, String course, String text, String token) {}

    record AnnouncementRetracted(String announcement, String course, String token) {}

    /** The part of an application that posts and retracts announcements. */
    static final class Announcements {
        private final EventStore store;

        /** The outcome of a request. */
        enum Answer {
            DONE,
            RE_SUBMISSION,
            NOT_FOUND,
            IS_RETRACTED_ALREADY,
            CONCURRENT_UPDATE
        }

        Announcements(EventStore store) {
            this.store = store;
        }

        Answer post(String announcement, String course, String text, String token) {
            TokenIsUsed used = new TokenIsUsed(token);
            Projected projected = store.project(used);
            return projected.state(used)
                    ? Answer.RE_SUBMISSION
                    : append(posted(announcement, course, text, token), projected);
        }

        Answer retract(String announcement) {
            AnnouncementStatus projection = new AnnouncementStatus(announcement);
            Projected projected = store.project(projection);
            return switch (projected.state(projection)) {
                case Status.Unknown unknown -> Answer.NOT_FOUND;
                case Status.Visible(String course, String token) ->
                    append(retracted(announcement, course, token), projected);
                case Status.Retracted retracted -> Answer.IS_RETRACTED_ALREADY;
            };
        }

        private Answer append(Event event, Projected seen) {
            return switch (store.append(List.of(event), seen.appendCondition())) {
                case Appended appended -> Answer.DONE;
                case Conflict conflict -> Answer.CONCURRENT_UPDATE;
                case StoreReplaced replaced -> Answer.CONCURRENT_UPDATE;
            };
        }
    }

    /** Whether an announcement that was posted with a token is still there. */
    record TokenIsUsed(String token) implements Projection<Boolean> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("AnnouncementPosted", "AnnouncementRetracted")
                    .tagged(tokenTag(token)));
        }

        @Override
        public Boolean initial() {
            return false;
        }

        @Override
        public Boolean apply(Boolean used, SequencedEvent event) {
            return event.event().type().equals("AnnouncementPosted");
        }
    }

    /** The progress of an announcement. */
    sealed interface Status {
        record Unknown() implements Status {}

        record Visible(String course, String token) implements Status {}

        record Retracted() implements Status {}
    }

    /** Follows one announcement. */
    record AnnouncementStatus(String announcement) implements Projection<Status> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("AnnouncementPosted", "AnnouncementRetracted")
                    .tagged(announcementTag(announcement)));
        }

        @Override
        public Status initial() {
            return new Status.Unknown();
        }

        @Override
        public Status apply(Status status, SequencedEvent event) {
            if (event.event().type().equals("AnnouncementRetracted")) {
                return new Status.Retracted();
            }
            AnnouncementPosted posted = Json.data(event.event(), AnnouncementPosted.class);
            return new Status.Visible(posted.course(), posted.token());
        }
    }

    static Event posted(String announcement, String course, String text, String token) {
        return Json.event(
                new AnnouncementPosted(announcement, course, text, token),
                announcementTag(announcement),
                "course:" + course,
                tokenTag(token));
    }

    static Event retracted(String announcement, String course, String token) {
        return Json.event(
                new AnnouncementRetracted(announcement, course, token),
                announcementTag(announcement),
                "course:" + course,
                tokenTag(token));
    }

    private static String announcementTag(String announcement) {
        return "announcement:" + announcement;
    }

    private static String tokenTag(String token) {
        return "idempotency:" + token;
    }

    @Test
    void a_form_that_is_sent_twice_posts_one_announcement() {
        assertThat(announcements.post("n1", "algebra", "Room 7", "11111")).isEqualTo(Answer.DONE);

        assertThat(announcements.post("n2", "algebra", "Room 7", "11111")).isEqualTo(Answer.RE_SUBMISSION);
        assertThat(announcements.post("n3", "algebra", "Room 7", "22222")).isEqualTo(Answer.DONE);
        assertThat(example.happened(AnnouncementPosted.class))
                .extracting(AnnouncementPosted::announcement)
                .containsExactly("n1", "n3");
    }

    @Test
    void a_retraction_makes_the_token_usable_again_once() {
        example.given(posted("n1", "algebra", "Room 7", "11111"), retracted("n1", "algebra", "11111"));

        assertThat(announcements.post("n2", "algebra", "Room 8", "11111")).isEqualTo(Answer.DONE);
        assertThat(announcements.post("n3", "algebra", "Room 8", "11111")).isEqualTo(Answer.RE_SUBMISSION);
    }

    @Test
    void an_announcement_can_be_retracted_once_and_only_if_it_was_posted() {
        example.given(posted("n1", "algebra", "Room 7", "11111"));

        assertThat(announcements.retract("n2")).isEqualTo(Answer.NOT_FOUND);
        assertThat(announcements.retract("n1")).isEqualTo(Answer.DONE);
        assertThat(announcements.retract("n1")).isEqualTo(Answer.IS_RETRACTED_ALREADY);
        assertThat(example.happened(AnnouncementRetracted.class))
                .containsExactly(new AnnouncementRetracted("n1", "algebra", "11111"));
    }

    /* Two requests with the token of a retracted announcement have both read that it is usable. */
    @Test
    void of_two_requests_with_a_usable_token_one_posts() {
        example.given(posted("n1", "algebra", "Room 7", "11111"), retracted("n1", "algebra", "11111"));
        Projected seen = example.store().project(new TokenIsUsed("11111"));
        assertThat(announcements.post("n2", "algebra", "Room 8", "11111")).isEqualTo(Answer.DONE);

        assertThat(example.store().append(List.of(posted("n3", "algebra", "Room 9", "11111")), seen.appendCondition()))
                .isInstanceOf(Conflict.class);
    }
}

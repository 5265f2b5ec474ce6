package dev.registrar.benchmarks.suite;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.benchmarks.Row;
import dev.registrar.benchmarks.ServiceProcess;
import dev.registrar.eventstore.KebabCase;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * How long does the server take for a page of the console, with 16,000 courses and 1,000,000 events? One browser sends
 * requests, one after the other.
 */
@State(Scope.Benchmark)
public class ConsoleBenchmarks {
    private static final String CATALOGUE = "/console/courses";
    private static final String EVENTS = "/console/events";
    private static final String COURSE = "<th scope=\"row\"";
    private static final String EVENT = "<a href=\"/console/events/";
    private static final String HOT = "tag0=even";
    private static final String STUDENT = "student-1";
    private static final String NEXT = "rel=\"next\" href=\"";

    /** The pages, each with its address and what shows that it has its content. */
    public enum Page {
        FIRST(CATALOGUE, COURSE),
        SEARCH(CATALOGUE + "?search=7", COURSE),
        FREE_SEATS(CATALOGUE + "?filter=open&sort=seats", COURSE),
        SECOND(CATALOGUE + "?search=1&sort=popularity", COURSE),
        NEWEST(EVENTS, EVENT),
        TYPE(EVENTS + "?type0=StudentEnrolledInCourse", EVENT),
        TAG(EVENTS + "?tag0=course%3Acourse-1&order=oldest", EVENT),
        ITEMS(EVENTS + "?tag0=course%3Acourse-1&tag1=student%3Astudent-1&type2=CourseDefined", EVENT),
        TAG_NAMES(EVENTS + "/tags?tag0=student%3Astudent-1", "<option"),
        KINDS_OF_TAGS(EVENTS + "/tags?tag0=s", "<option"),
        LAB("/console/lab?tag0=course%3Acourse-1&after=0", "Refused:"),
        FREQUENT_TAG(EVENTS + "?" + HOT, EVENT),
        TAG_AND_OTHER_TYPE(EVENTS + "?type0=Other&" + HOT, "position"),
        TWO_FREQUENT_TAGS(EVENTS + "?tag0=odd&" + HOT, "position"),
        TWO_FREQUENT_TAGS_FORWARDS(EVENTS + "?order=oldest&tag0=odd&" + HOT, "position");

        private final String address;
        private final String content;

        Page(String address, String content) {
            this.address = address;
            this.content = content;
        }
    }

    @Param("newest")
    String page = "";

    private Api api;
    private Page shown = Page.NEWEST;
    private String address = "";

    /** Starts a client of the service, whose views have seen all events. */
    @Setup
    public void start() {
        api = new Api(ServiceProcess.portOfThisProcess());
        shown = KebabCase.parse(Page.class, page);
        address = shown.address;
        if (shown == Page.SECOND) {
            String first = open();
            int next = first.indexOf(NEXT) + NEXT.length();
            address = first.substring(next, first.indexOf('"', next)).replace("&amp;", "&");
        }
    }

    @Row(value = "console/explorer page=newest,type,tag,items,tag-names,kinds-of-tags,lab", on = "large", served = true)
    @Row(
            value =
                    "console/explorer page=frequent-tag,tag-and-other-type,two-frequent-tags,two-frequent-tags-forwards",
            on = "tagged-1000000",
            served = true)
    @Row(value = "console/catalogue page=first,search,free-seats,second", on = "large", served = true)
    @Benchmark
    public String open() {
        String cookie = "registrar-role=student."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(STUDENT.getBytes(StandardCharsets.UTF_8));
        Answer answer = shown.address.startsWith(CATALOGUE) ? api.get(address, "Cookie", cookie) : api.get(address);
        String html = answer.expect(200).text();
        if (!html.contains(shown.content)) {
            throw new IllegalStateException("%s has not its content: %s".formatted(shown, html));
        }
        return html;
    }
}

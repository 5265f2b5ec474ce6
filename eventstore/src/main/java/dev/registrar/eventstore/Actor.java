package dev.registrar.eventstore;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The party that caused an append, as the application that calls the store knows it. The store keeps it beside each
 * event of the append. It is not part of the event, so a client that chooses payload and metadata does not choose it.
 *
 * <p>Issuer and subject together name the party. The subject should be a pseudonym, such as the claim {@code sub} of
 * OpenID Connect: events are kept permanently.
 *
 * @param issuer the authority that knows the subject, 1 to {@value #MAX_ISSUER_LENGTH} characters
 * @param subject the issuer's id of the person or the program, 1 to {@value #MAX_LENGTH} characters
 * @param client the program through which the subject acted, up to {@value #MAX_LENGTH} characters; null if unknown
 * @param onBehalfOf the id of the person for whom the subject acted, up to {@value #MAX_LENGTH} characters; null if the
 *     subject acted for itself
 */
public record Actor(
        String issuer,
        String subject,
        @Nullable String client,
        @Nullable String onBehalfOf) {
    /** The issuer of the parts of an application that append without a caller, such as automations. */
    public static final String APPLICATION = "application";

    /** Maximum length of an issuer, in characters. */
    public static final int MAX_ISSUER_LENGTH = 1_000;

    /** Maximum length of each other part, in characters; OpenID Connect allows subjects of 255. */
    public static final int MAX_LENGTH = 255;

    /** Maximum size of the stored form in bytes, in UTF-8: 6 for an escaped character. */
    static final int MAX_BYTES = 6 * (MAX_ISSUER_LENGTH + 3 * MAX_LENGTH) + 64;

    public Actor {
        if (issuer.isEmpty() || subject.isEmpty()) {
            throw new RefusedInputException("An actor must have an issuer and a subject, but they are '%s' and '%s'"
                    .formatted(issuer, subject));
        }
    }

    /** An actor that acts for itself, through an unknown client. */
    public static Actor of(String issuer, String subject) {
        return new Actor(issuer, subject, null, null);
    }

    /** A part of the application itself, such as an automation. */
    public static Actor ofApplication(String name) {
        return of(APPLICATION, name);
    }

    /** The same actor, acting for a person; for itself if null. */
    public Actor onBehalfOf(@Nullable String person) {
        return new Actor(issuer, subject, client, person);
    }

    /** The actor in its stored form: a JSON object with the names of the components, without those that are null. */
    public String json() {
        StringBuilder json = new StringBuilder("{");
        FlatJson.append(json, "issuer", issuer);
        FlatJson.append(json, "subject", subject);
        FlatJson.append(json, "client", client);
        FlatJson.append(json, "onBehalfOf", onBehalfOf);
        return json.append('}').toString();
    }

    /**
     * Parses the stored form. Empty if the text is not the stored form of an actor, which no append of this library
     * writes. Unknown names are ignored.
     */
    public static Optional<Actor> parse(String json) {
        Map<String, String> values = FlatJson.parse(json);
        if (values == null) {
            return Optional.empty();
        }
        String issuer = values.getOrDefault("issuer", "");
        String subject = values.getOrDefault("subject", "");
        return issuer.isEmpty() || subject.isEmpty()
                ? Optional.empty()
                : Optional.of(new Actor(issuer, subject, values.get("client"), values.get("onBehalfOf")));
    }
}

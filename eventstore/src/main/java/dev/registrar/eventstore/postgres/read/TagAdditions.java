package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.util.List;
import java.util.Set;

/** Asks which of several things that were read lack events, since tags were added to these later. */
final class TagAdditions {
    private final Database database;
    private final String text;

    TagAdditions(Database database, String schema) {
        this.database = database;
        this.text = """
                select given.number
                from unnest(?::text[], ?::bigint[], ?::bigint[]) with ordinality given (tags, read_at, up_to, number)
                where exists (
                    select
                    from %s.tag_additions addition
                    where addition.position > given.read_at
                    and addition.first_event <= given.up_to
                    and addition.tag = any (given.tags::text[])
                )""".formatted(schema);
    }

    /**
     * What was read.
     *
     * @param at the head of the store at that time
     * @param upTo the last position that is not read again
     */
    record WasRead(Query query, Position at, Position upTo) {}

    /** The indices of those that may lack events. */
    Set<Integer> lacking(List<WasRead> all) {
        int count = all.size();
        String[] tags = new String[count];
        long[] at = new long[count];
        long[] upTo = new long[count];
        for (int i = 0; i < count; i++) {
            tags[i] = ArrayText.ofTags(TagsAdded.tagsOf(all.get(i).query()));
            at[i] = all.get(i).at().value();
            upTo[i] = all.get(i).upTo().value();
        }
        return Set.copyOf(database.run(
                text,
                statement ->
                        new Parameters(statement).add(tags).add(at).add(upTo).all(row -> row.getInt(1) - 1)));
    }
}

package dev.registrar.eventstore.postgres.append;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The stored function check_conditions, which checks conditions outside the store's lock. */
public final class CheckFunction {
    private static final int OF_EARLIER_CHECK = 4;

    private CheckFunction() {}

    /** The statement that checks requests. */
    public static String text(String schema) {
        return "select * from %s.check_conditions(?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
    }

    /**
     * Runs the statement.
     *
     * @param earlier the result of the last check of the same requests; empty if there was none
     * @return a result for each request, in order, all up to the same head
     */
    public static List<CheckedConditions> check(
            PreparedStatement statement, List<Append> requests, List<CheckedConditions> earlier) throws SQLException {
        ConditionColumns conditions = new ConditionColumns(requests);
        Parameters parameters = new Parameters(statement);
        parameters.add(conditions.afters);
        parameters.add(conditions.firstTags);
        parameters.add(conditions.secondTags);
        parameters.add(conditions.tags);
        parameters.add(conditions.types);
        if (earlier.isEmpty()) {
            parameters.addNulls(OF_EARLIER_CHECK);
        } else {
            Head known = earlier.getFirst().upTo();
            parameters.add(known.incarnation());
            parameters.add(known.position().value());
            parameters.add(known.lastEventId());
            parameters.add(earlier.stream()
                    .flatMap(each -> each.matches().stream())
                    .mapToLong(Position::value)
                    .toArray());
        }
        try (ResultSet row = statement.executeQuery()) {
            row.next();
            Head upTo = new Head(
                    Position.of(row.getLong("head_position")),
                    row.getObject("incarnation", UUID.class),
                    row.getObject("last_event_id", UUID.class));
            Long[] matches = (Long[]) row.getArray("matches").getArray();
            return checked(requests, upTo, matches);
        }
    }

    private static List<CheckedConditions> checked(List<Append> requests, Head upTo, Long[] matches) {
        List<CheckedConditions> checked = new ArrayList<>(requests.size());
        int n = 0;
        for (Append request : requests) {
            List<Position> ofRequest = new ArrayList<>();
            for (int i = ConditionColumns.items(request); i > 0; i--) {
                ofRequest.add(Position.of(matches[n]));
                n++;
            }
            checked.add(new CheckedConditions(upTo, ofRequest));
        }
        return checked;
    }
}

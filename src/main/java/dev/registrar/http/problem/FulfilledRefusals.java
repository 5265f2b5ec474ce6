package dev.registrar.http.problem;

import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Refusal;
import java.util.Set;

/**
 * The refusals of commands whose state holds already. PUT and DELETE are idempotent (RFC 9110, section 9.2.2), so the
 * API answers these commands as successful.
 */
public final class FulfilledRefusals {
    private static final Set<Refusal> ALL = Set.of(
            ChangeCapacity.Refused.CAPACITY_UNCHANGED,
            ChangePrerequisites.Refused.PREREQUISITES_UNCHANGED,
            ChangeTier.Refused.TIER_UNCHANGED,
            EnrollStudent.Refused.ALREADY_ENROLLED,
            DropStudent.Refused.NOT_ENROLLED,
            JoinWaitingList.Refused.ALREADY_WAITING,
            LeaveWaitingList.Refused.NOT_WAITING);

    private FulfilledRefusals() {}

    public static boolean contains(Refusal refusal) {
        return ALL.contains(refusal);
    }
}

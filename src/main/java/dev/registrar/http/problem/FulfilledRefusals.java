package dev.registrar.http.problem;

import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangeEmail;
import dev.registrar.enrollment.ChangeName;
import dev.registrar.enrollment.ChangePrerequisites;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.ChangeTitle;
import dev.registrar.enrollment.ChangeWindow;
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
            ChangeTitle.Refused.TITLE_UNCHANGED,
            ChangeCapacity.Refused.CAPACITY_UNCHANGED,
            ChangeWindow.Refused.WINDOW_UNCHANGED,
            ChangePrerequisites.Refused.PREREQUISITES_UNCHANGED,
            ChangeName.Refused.NAME_UNCHANGED,
            ChangeEmail.Refused.EMAIL_UNCHANGED,
            ChangeTimes.Refused.TIMES_UNCHANGED,
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

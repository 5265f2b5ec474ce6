package dev.registrar.benchmarks.report;

import java.util.List;

/** The load tests, each with the profile of its published run. */
final class Simulations {
    /** @param profile what {@code -Dprofile} of the published run is */
    record Published(String name, String profile) {
        String command() {
            return "mvn verify -pl gatling -am -DskipTests -Dgatling.skip=false -Dsimulation=%s -Dprofile=%s"
                    .formatted(name, profile);
        }
    }

    private static final String RAMP = "seed";
    private static final String WITHOUT_PAUSES = "closed";

    static final List<Published> ALL = List.of(
            new Published("AppendSimulation", RAMP),
            new Published("AppendIfSimulation", RAMP),
            new Published("ReadSimulation", RAMP),
            new Published("ProjectSimulation", RAMP),
            new Published("ContentionSimulation", WITHOUT_PAUSES),
            new Published("LockSimulation", WITHOUT_PAUSES),
            new Published("IsolationSimulation", WITHOUT_PAUSES),
            new Published("FullMixSimulation", WITHOUT_PAUSES),
            new Published("FullScanSimulation", WITHOUT_PAUSES),
            new Published("QuickSimulation", WITHOUT_PAUSES),
            new Published("EnrollmentSimulation", WITHOUT_PAUSES),
            new Published("RegistrationRushSimulation", WITHOUT_PAUSES),
            new Published("SpikeSimulation", WITHOUT_PAUSES),
            new Published("ConsistencySimulation", WITHOUT_PAUSES),
            new Published("StrongSimulation", WITHOUT_PAUSES),
            new Published("MonotonicSimulation", WITHOUT_PAUSES),
            new Published("ParallelWritesSimulation", WITHOUT_PAUSES),
            new Published("RebuildSimulation", WITHOUT_PAUSES),
            new Published("ListenersSimulation", WITHOUT_PAUSES),
            new Published("SpeedSimulation", WITHOUT_PAUSES));

    private Simulations() {}
}

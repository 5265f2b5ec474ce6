package dev.registrar.gatling;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * CPU time used so far. For PostgreSQL it is the sum of its processes that run on this machine; processes that have
 * ended are not included.
 */
record CpuTime(Duration service, Duration postgres) {
    static final CpuTime NONE = new CpuTime(Duration.ZERO, Duration.ZERO);

    static CpuTime of(OptionalLong service) {
        Duration own = service.stream()
                .mapToObj(ProcessHandle::of)
                .flatMap(found -> found.stream())
                .map(CpuTime::used)
                .reduce(Duration.ZERO, Duration::plus);
        Duration servers = ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .command()
                        .filter(command -> command.endsWith("/postgres"))
                        .isPresent())
                .map(CpuTime::used)
                .reduce(Duration.ZERO, Duration::plus);
        return new CpuTime(own, servers);
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    CpuTime minus(CpuTime before) {
        return new CpuTime(service.minus(before.service), postgres.minus(before.postgres));
    }

    Duration both() {
        return service.plus(postgres);
    }
}

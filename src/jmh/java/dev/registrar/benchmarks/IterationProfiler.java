package dev.registrar.benchmarks;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/** Reports figures of an iteration beside JMH's own, in microseconds. */
abstract class IterationProfiler implements InternalProfiler {
    /** @param microseconds the length of the iteration */
    abstract void begin(long microseconds);

    abstract List<ScalarResult> end(long calls, long microseconds);

    static ScalarResult figure(String name, double microseconds) {
        return new ScalarResult(name, microseconds, "us/op", AggregationPolicy.AVG);
    }

    @Override
    public final String getDescription() {
        return getClass().getSimpleName();
    }

    @Override
    public final void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        begin(length(iteration));
    }

    @Override
    public final Collection<ScalarResult> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        return end(result.getMetadata().getAllOps(), length(iteration));
    }

    private static long length(IterationParams iteration) {
        return iteration.getTime().convertTo(TimeUnit.MICROSECONDS);
    }
}

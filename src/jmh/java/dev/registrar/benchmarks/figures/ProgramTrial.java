package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.PreparedDatabases.FreshDatabase;
import dev.registrar.benchmarks.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of a measuring program, in one process or in several at once, whose readings are added.
 *
 * @param readings the names, in the order in which the program reports them
 * @param arguments of the program; each process receives its number, from 0, as a further argument
 */
record ProgramTrial(List<String> readings, Class<?> program, List<String> arguments, Template template, int processes)
        implements Trial {

    @Override
    public Map<String, Double> run(PreparedDatabases databases, RunSettings settings) {
        List<MeasuringProcess> started = new ArrayList<>();
        try (FreshDatabase database = databases.fresh(template, false)) {
            for (int number = 0; number < processes; number++) {
                List<String> all = new ArrayList<>(arguments);
                all.add(Integer.toString(number));
                started.add(MeasuringProcess.start(program, all, database.measured(), settings));
            }
            started.forEach(MeasuringProcess::awaitReady);
            started.forEach(MeasuringProcess::go);
            Map<String, Double> sums = new LinkedHashMap<>();
            for (MeasuringProcess process : started) {
                List<Double> values = List.copyOf(process.readings().values());
                for (int i = 0; i < readings.size(); i++) {
                    sums.merge(readings.get(i), values.get(i), Double::sum);
                }
            }
            return sums;
        } finally {
            started.forEach(MeasuringProcess::close);
        }
    }
}

package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.PreparedDatabases;
import dev.registrar.benchmarks.PreparedDatabases.FreshDatabase;
import dev.registrar.benchmarks.Template;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One run of a program of ours, in one process or in several at once, whose readings are then added up.
 *
 * @param readings in the order in which the program tells them
 * @param arguments of the program; each process gets its number, from 0 on, as one more
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
                List<Double> told = List.copyOf(process.readings().values());
                for (int i = 0; i < readings.size(); i++) {
                    sums.merge(readings.get(i), told.get(i), Double::sum);
                }
            }
            return sums;
        } finally {
            started.forEach(MeasuringProcess::close);
        }
    }
}

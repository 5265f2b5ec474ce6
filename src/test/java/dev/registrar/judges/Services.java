package dev.registrar.judges;

import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.ServiceInProcess;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** Services on one database, which can be killed by turns. */
final class Services implements AutoCloseable {
    private final TestDatabase database;
    private final List<ServiceInProcess> processes = new ArrayList<>();
    private final List<ServiceInstance> instances = new ArrayList<>();
    private int killed;

    /** Starts two of them, one after the other, since the first one creates the store. */
    Services(TestDatabase database) throws IOException {
        this.database = database;
        for (String name : List.of("one", "two")) {
            processes.add(ServiceInProcess.start(database));
            await().until(processes.getLast()::isReady);
            instances.add(new ServiceInstance(name, processes.getLast().api()));
        }
    }

    List<ServiceInstance> instances() {
        return instances;
    }

    Api api() {
        return processes.getFirst().api();
    }

    String url() {
        return "http://127.0.0.1:" + processes.getFirst().port();
    }

    /** Kills one of them, by turns, and waits until another process has taken its place. */
    void killNext() {
        int index = killed++ % processes.size();
        try {
            processes.get(index).kill();
            processes.set(index, ServiceInProcess.start(database));
            await().until(processes.get(index)::isReady);
            instances.get(index).moveTo(processes.get(index).api());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        processes.forEach(ServiceInProcess::close);
    }
}

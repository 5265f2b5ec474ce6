package dev.registrar.benchmarks.plain;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.ServiceProcess;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The plain tables of students, courses and enrollments, in a schema of their own in the service's database.
 *
 * <p>The service's component scan finds this class and the two controllers on the class path of the benchmarks, and a
 * property turns them on. So they run in the unchanged service: the same server, filters, interceptors, exception
 * handlers and JSON. A request for them has the path of the service's own operation and the header {@value #HEADER}.
 * The same security chain and the same rule of access therefore apply to both. Only the check for unknown query
 * parameters is for the service's own controllers alone.
 */
@Component
@ConditionalOnBooleanProperty(PlainTables.ENABLED)
final class PlainTables implements AutoCloseable {
    static final String ENABLED = ServiceProcess.PLAIN_TABLES;

    /** The header of requests for the plain tables; its value does not matter. */
    static final String HEADER = "Plain-Tables";

    /** Adds the courses and students of the store's events. */
    static final String FILL = """
            insert into plain.courses (id, title, capacity)
            select payload::jsonb ->> 'courseId', payload::jsonb ->> 'title', (payload::jsonb ->> 'capacity')::integer
            from registrar.events
            where type = 'CourseDefined'
            on conflict do nothing;
            insert into plain.students (id, name, email)
            select payload::jsonb ->> 'studentId', payload::jsonb ->> 'name', payload::jsonb ->> 'email'
            from registrar.events
            where type = 'StudentRegistered'
            on conflict do nothing""";

    /** Adds the enrollments of the store's events, none of which was dropped. */
    static final String ENROLL = """
            insert into plain.enrollments (course, student)
            select payload::jsonb ->> 'courseId', payload::jsonb ->> 'studentId'
            from registrar.events
            where type = 'StudentEnrolledInCourse';
            update plain.courses
            set enrolled = counted.enrollments
            from (select course, count(*) as enrollments from plain.enrollments group by course) counted
            where id = counted.course;
            update plain.students
            set courses = counted.enrollments
            from (select student, count(*) as enrollments from plain.enrollments group by student) counted
            where id = counted.student""";

    /** As many as the store's pool has by default. */
    private static final int CONNECTIONS = 16;

    private final HikariDataSource pool;

    final JdbcClient jdbc;
    final TransactionTemplate transactions;

    /** Connects, and creates the tables if they do not exist. */
    PlainTables(JdbcConnectionDetails database) {
        pool = new HikariDataSource();
        pool.setPoolName("plain-tables");
        pool.setJdbcUrl(database.getJdbcUrl());
        pool.setUsername(database.getUsername());
        pool.setPassword(database.getPassword());
        pool.setMaximumPoolSize(CONNECTIONS);
        new ResourceDatabasePopulator(new ClassPathResource("schema.sql", PlainTables.class)).execute(pool);
        jdbc = JdbcClient.create(pool);
        transactions = new TransactionTemplate(new JdbcTransactionManager(pool));
    }

    @Override
    public void close() {
        pool.close();
    }
}

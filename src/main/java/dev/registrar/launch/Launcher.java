package dev.registrar.launch;

/**
 * Starts the service, or explains in one sentence that this Java is too old. Like Spring Boot's loader, it is compiled
 * for Java 17: a Java that cannot load the classes of the service can still run this class.
 */
public final class Launcher {
    private static final int OLDEST = 21;
    private static final String SERVICE = "dev.registrar.RegistrarApplication";

    private Launcher() {}

    /**
     * Starts the service.
     *
     * @param arguments the arguments of the service
     */
    @SuppressWarnings("SystemOut") // Logging has not started yet.
    public static void main(String[] arguments) throws ReflectiveOperationException {
        int running = Runtime.version().feature();
        if (running < OLDEST) {
            System.err.println(refusal(System.getProperty("java.version"), System.getProperty("java.home")));
            System.exit(1);
        }
        // By name, so that the compiler for Java 17 does not read a newer class.
        Class.forName(SERVICE).getMethod("main", String[].class).invoke(null, (Object) arguments);
    }

    static String refusal(String version, String home) {
        return "Registrar needs Java %d or newer, but this is Java %s (%s); start it with the java of a newer JDK"
                .formatted(OLDEST, version, home);
    }
}

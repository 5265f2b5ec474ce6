package dev.registrar.launch;

/**
 * Starts the service, or says in one sentence that this Java is too old for it. It is compiled for Java 17, as Spring
 * Boot's loader is: a Java that cannot read the classes of the service can still run this one.
 */
public final class Launcher {
    private static final int OLDEST = 21;
    private static final String SERVICE = "dev.registrar.RegistrarApplication";

    private Launcher() {}

    /**
     * Starts the service.
     *
     * @param arguments as the service takes them
     */
    @SuppressWarnings("SystemOut") // There is no log yet.
    public static void main(String[] arguments) throws ReflectiveOperationException {
        int running = Runtime.version().feature();
        if (running < OLDEST) {
            System.err.println(refusal(System.getProperty("java.version"), System.getProperty("java.home")));
            System.exit(1);
        }
        // By name, so that the compiler does not read a class that is newer than this one.
        Class.forName(SERVICE).getMethod("main", String[].class).invoke(null, (Object) arguments);
    }

    static String refusal(String version, String home) {
        return "Registrar needs Java %d or newer, but this is Java %s (%s); start it with the java of a newer JDK"
                .formatted(OLDEST, version, home);
    }
}

package dev.registrar.judges;

/** Something that happens to the processes of a store while clients call it. */
@FunctionalInterface
interface Fault {
    /** Lets it happen, and lets it be over. */
    void happen(Scene scene) throws Exception;
}

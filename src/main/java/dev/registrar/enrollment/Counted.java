package dev.registrar.enrollment;

/** A number of things in a sentence: {@code 1 seat}, {@code 2 seats}. */
record Counted(int number, String singular) {

    @Override
    public String toString() {
        return number + " " + singular + (number == 1 ? "" : "s");
    }
}

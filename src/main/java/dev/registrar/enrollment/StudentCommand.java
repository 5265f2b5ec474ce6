package dev.registrar.enrollment;

/** A command that concerns one student. If another party gives it, its events record that student beside the actor. */
public interface StudentCommand {
    StudentId student();
}

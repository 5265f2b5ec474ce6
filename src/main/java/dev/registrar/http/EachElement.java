package dev.registrar.http;

/**
 * The group of constraints on the elements of a list. They are checked after all others, so that the elements of a list
 * that is too long cause no errors of their own.
 */
interface EachElement {}

package dev.registrar.http;

/**
 * The validation group of the constraints on the elements of a list. It is checked last, so that a list that is too
 * long causes one error and not one for each element.
 */
interface EachElement {}

// Package ladder decides the next step of a turn whose model failed. The turn can use a larger
// model of the same provider, shorten the conversation, continue an interrupted answer, use the
// next model of a role, or tell the user. The decision is a pure function of the known facts.
package ladder

// Package ladder decides what a turn does when its model fails: use a larger model of the same
// provider, shorten the conversation, continue a broken answer, use the next model of a role, or
// tell the user. It is a pure function of the known facts.
package ladder

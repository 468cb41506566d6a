// Package ladder decides what a turn does when its model fails: a larger model of the same
// provider, a shorter conversation, the rest of a broken answer, the next model of a role,
// or a word to the person. It is one function of what is known, and does nothing itself.
package ladder

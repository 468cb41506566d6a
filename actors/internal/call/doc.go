// Package call implements the actor of one tool call. It includes the call's consent, its hooks and
// its sub-agents.
package call

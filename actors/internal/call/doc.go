// Package call is the actor of one tool call, with its consent, its hooks and its sub-agents.
package call

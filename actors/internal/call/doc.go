// Package call implements the actor that handles one tool call, including consent, hooks and
// sub-agents.
package call

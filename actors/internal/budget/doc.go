// Package budget limits the size of the conversation that a model receives.
//
// All functions here are pure. In every mode, [Limits.Decide] decides whether to send a request or
// to shorten the conversation first. [New] returns a [Plan] for shortening a conversation. The
// caller stores a backup, asks a model for the summary, and replaces the conversation with the
// result of [Plan.Assemble].
//
// A compaction keeps the last messages, the request that they belong to, and the request of the
// running turn. A new summary inherits the lists of files and backups from the previous summary. A
// cut is never made before a tool result, so a call is never separated from its results.
package budget

// Package budget decides how much of a conversation a model receives, and what happens to the rest.
//
// All functions here are pure. [Limits.Decide] makes the decision in every mode, and a [Plan]
// shortens a long conversation. Between [New] and [Plan.Assemble], the caller stores a backup and
// asks a model for the summary. The conversation does not change before Assemble.
//
// A compaction keeps the last messages, the request to which they belong, and the request that
// began the running turn. A new summary inherits the lists of files and backups from the previous
// summary. A cut is never made before a tool result, so a call is never separated from its results.
package budget

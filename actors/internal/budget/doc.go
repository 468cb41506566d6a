// Package budget decides how much of a conversation a model receives, and what happens to the rest.
//
// All functions here are pure. [Limits.Decide] makes the decision in every mode, and a [Plan]
// shortens a long conversation. Between [New] and [Plan.Assemble] the caller does the slow work:
// counting, the backup, and asking a model for the summary. The conversation does not change before
// Assemble.
//
// A compaction keeps the last messages, the last request, and the request that began the running
// turn. A new summary inherits the lists of files and backups from the previous summary. A call is
// never separated from its results, because a cut is made only before a message that is not a
// result.
package budget

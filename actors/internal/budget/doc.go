// Package budget decides how much of a conversation a model receives, and what happens to the rest.
//
// Everything here is pure: [Limits.Decide] is the one decision for every mode,
// and a [Plan] turns a long conversation into a short one. The caller does the
// slow work (counting, the backup, asking a model for the summary) between [New] and
// [Plan.Assemble]; until then nothing has changed.
//
// A compaction keeps the last messages, the last request, and the request of the running turn
// unchanged. Touched files and the places of backups are carried from summary to summary. A call is
// never separated from its results: a cut is only allowed before a message that is not a result.
package budget

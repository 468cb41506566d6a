// Package background runs work that outlives the window that began it: reviews by another
// Marvin, and commands.
//
// A job is a process of its own, with its output in <dir>/.marvin/logs and a file in
// <dir>/.marvin/jobs (F11), so that the next Marvin finds it. Here is what one job does
// from its start to its account, as plain Go; who looks after which job, and who is told,
// is the business of the actors, and what models are offered is tools/jobs.
//
// What a file of a project says is not believed. A pid counts only together with the
// time of its start, nothing is ended that does not carry the mark of its job, and the
// output is read from where the job's name says, never from a path in the file.
package background

import "time"

// ReviewTime is how long a review may take. The review knows it too, and so ends in
// order; whoever looks after it ends it a little later, at [ReviewLimit].
const ReviewTime = 30 * time.Minute

// ReviewLimit is when a review is ended that did not end by itself.
const ReviewLimit = ReviewTime + time.Minute

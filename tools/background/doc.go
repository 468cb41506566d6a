// Package background runs work that outlives its window: reviews by another Marvin, and commands.
//
// A job is a process of its own, with its output in <dir>/.marvin/logs and a file in
// <dir>/.marvin/jobs (F11), where the next Marvin finds it. This package runs one job from start to
// report, as plain Go. The actors decide who looks after a job and who gets the report; tools/jobs
// has the tools for models.
//
// Files of a project are not trusted. A pid counts only with its start time, a process is ended
// only if it carries the mark of its job, and the output is read from the path derived from the
// job's name, never from a path in the file.
package background

import "time"

// ReviewTime is how long a review may take. The review knows it and ends in order; its watcher ends
// it a little later, at [ReviewLimit].
const ReviewTime = 30 * time.Minute

// ReviewLimit is when a review is ended that did not end by itself.
const ReviewLimit = ReviewTime + time.Minute

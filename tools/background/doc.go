// Package background runs work that continues after its window is closed: reviews by another
// Marvin, and commands.
//
// A job is a separate process. Its output is in <dir>/.marvin/logs, and its record in
// <dir>/.marvin/jobs (F11), where the next Marvin finds it. This package runs one job from start to
// report, as plain Go. The actors decide who supervises a job and who gets the report; tools/jobs
// has the tools for models.
//
// Files of a project are not trusted. A PID is used only with its start time, a process is ended
// only if it has the mark of its job, and the output is read from the path derived from the job's
// name, never from a path in the record.
package background

import "time"

// ReviewTime is the time limit of a review. The review knows the limit and ends in time; otherwise
// its supervisor ends it at [ReviewLimit].
const ReviewTime = 30 * time.Minute

// ReviewLimit is the time after which a review is killed.
const ReviewLimit = ReviewTime + time.Minute

// Package background runs jobs that can outlive the conversation: commands, watches of GitHub
// checks, and reviews by another Marvin process.
//
// A job is a separate process. Its record is in <dir>/.marvin/jobs and its output is in
// <dir>/.marvin/logs, where Marvin processes that start later find them. This package runs a job
// from its start to its report. Package actors decides which Marvin process supervises a job and
// who gets the report. Package tools/jobs contains the tools for models.
//
// The package does not trust a project's files. It uses a PID only together with the process's
// start time. Before it ends a job's process, it checks that the process has the job's mark. It
// derives the output path from the job's ID and never uses a path from the record.
package background

import "time"

// ReviewTime is the value of --max-time for a review's process. [ReviewLimit] allows a little more
// time.
const ReviewTime = 30 * time.Minute

// ReviewLimit is the time after which a review is killed.
const ReviewLimit = ReviewTime + time.Minute

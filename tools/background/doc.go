// Package background runs work that continues after its window is closed: reviews by another
// Marvin, and commands.
//
// A job is a separate process. Its output is in <dir>/.marvin/logs and its record in
// <dir>/.marvin/jobs, where the next Marvin finds it. This package runs one job from its start to its
// report. The package does not use the actors. The actors decide which Marvin supervises a job and who
// gets the report; tools/jobs has the tools for models.
//
// The package does not trust files of a project. It uses a PID only together with the start time of
// the process. Before it ends the process of a job, it checks that the process has this job's mark.
// It derives the path of the output from the job's name and never uses a path in the record.
package background

import "time"

// ReviewTime is the time limit that Marvin tells a review. The supervisor allows a little more time
// and ends the review at [ReviewLimit].
const ReviewTime = 30 * time.Minute

// ReviewLimit is the time after which a review is killed.
const ReviewLimit = ReviewTime + time.Minute

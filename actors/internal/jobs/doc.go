// Package jobs contains the actors that manage background jobs: a table, and one actor for each
// job.
package jobs

// Package jobs contains the actors of background jobs: a table, and one actor for each job.
package jobs

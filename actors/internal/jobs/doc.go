// Package jobs are the actors that look after work in the background: a table, and one actor for each job.
package jobs

// Package schedule implements "marvin schedule", "marvin watch", "marvin today" and
// "marvin ring-alarm".
package schedule

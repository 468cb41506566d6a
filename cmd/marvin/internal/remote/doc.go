// Package remote runs the tasks of sub-agents on a fleet.
package remote

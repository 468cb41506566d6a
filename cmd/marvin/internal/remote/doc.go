// Package remote runs the work of sub-agents on a fleet.
package remote

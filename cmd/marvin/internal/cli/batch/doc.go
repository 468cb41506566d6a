// Package batch implements the commands that answer many prompts, here and on a fleet.
package batch

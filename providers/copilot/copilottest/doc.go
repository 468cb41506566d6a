// Package copilottest is the world in which tests run the real Copilot CLI: offline, with a
// model server of theirs in the place of GitHub.
package copilottest

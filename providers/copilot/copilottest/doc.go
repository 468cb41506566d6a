// Package copilottest runs the real Copilot CLI in tests: offline, with a model server of the test
// instead of GitHub.
package copilottest

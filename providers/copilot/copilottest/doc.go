// Package copilottest runs the real Copilot CLI in tests. A model server in the test replaces
// GitHub.
package copilottest

// Package foreign reads the logs of other assistants: Claude Code, Codex and oh-my-pi, which store
// a conversation as lines of JSON.
//
// It reads messages and calls of the current branch. It skips the programs' own records
// (instructions, window state) and unreadable lines. Nothing in a log runs. The formats are those
// of 2025 and 2026: Claude Code 1 and 2 (~/.claude/projects), Codex 0.4x to 0.6x and the earlier
// lines without an envelope (~/.codex/sessions), oh-my-pi and pi with header versions 1 to 3
// (~/.omp/agent/sessions, ~/.pi/agent/sessions).
package foreign

// Package foreign reads the logs of other assistants: Claude Code, Codex and oh-my-pi, each
// of which keeps a conversation as lines of JSON.
//
// What is read is what was said and done on the branch that went on; what such a program
// wrote for itself (its instructions, the state of its windows) is passed over, and so are
// lines that cannot be read. Nothing of a log runs. Shapes are those of 2025 and 2026:
// Claude Code 1 and 2 (~/.claude/projects), Codex 0.4x to 0.6x and the lines without an
// envelope before (~/.codex/sessions), oh-my-pi and pi with versions 1 to 3 of their header
// (~/.omp/agent/sessions, ~/.pi/agent/sessions).
package foreign

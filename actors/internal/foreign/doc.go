// Package foreign reads the logs of other assistants: Claude Code, Codex and oh-my-pi. All of them
// store a conversation as lines of JSON.
//
// The package reads the messages and calls of the current branch. It skips unreadable lines and
// lines that an assistant wrote for itself, such as instructions and window state. It never runs a
// command or a call that it finds in a log. It knows the formats of 2025 and 2026:
//
//   - Claude Code 1 and 2, in ~/.claude/projects
//   - Codex 0.4x to 0.6x, in ~/.codex/sessions
//   - earlier versions of Codex, in the same directory; their lines have no envelope
//   - oh-my-pi with header versions 1 to 3, in ~/.omp/agent/sessions
//   - pi with header versions 1 to 3, in ~/.pi/agent/sessions
package foreign

// Package copilot asks models through GitHub's Copilot CLI and its SDK.
//
// A [CLI] is the program: found and started when the first question is asked, never
// before, shared by all [Model] values, and stopped when the last of them is closed.
// A Model is one conversation in it, an SDK session. Every question carries the whole
// conversation; a session that has seen its beginning is told only what is new, and
// otherwise a fresh one is told the rest as a record.
//
// Decisions, each with its reason:
//
//   - The CLI is started here and not by the SDK. The SDK leaves it in our process
//     group, where Ctrl-C ends it (it exits on SIGINT), hides its pid, does not say
//     when it dies, and switches off the keychain in which people's login is. So the
//     SDK is given a loopback connection whose other end is the CLI's stdin and
//     stdout (relay.go): the CLI itself never listens, ends when Marvin does, and
//     its death is known at once.
//   - ModeEmpty, our own system text, our own tools: in the default mode the CLI adds
//     17 tools that run outside Marvin's control. It is started in the root directory,
//     so that it never reads what a project says to it.
//   - Tools are declared to the CLI and answered by us; it never runs any.
//   - COPILOT_HOME stays the user's, because the login is there. Each session has a
//     configuration directory of its own, or the CLI would start the user's MCP
//     servers and hooks, and keep what was said.
//   - The CLI asks again by itself (a 429 takes it 11 s), so no retry belongs around
//     this Model.
//
// The CLI's own-key variables (COPILOT_PROVIDER_BASE_URL and its like) are honoured
// here: the CLI reads them only when it is not driven by an SDK.
package copilot

// Package copilot asks models through GitHub's Copilot CLI and its SDK.
//
// All [Model] values share one [CLI]. The CLI is started for the first request and stopped when the
// last Model is closed. A Model is one conversation and uses one SDK session at a time. Every
// request to a Model contains the whole conversation. If the session knows the earlier messages,
// the Model sends only the new messages to the CLI. Otherwise the Model opens a new session, which
// receives a record of the earlier messages.
//
// Decisions and their reasons:
//
//   - Marvin starts the CLI itself. If the SDK started the CLI, the CLI would be in Marvin's
//     process group, and Ctrl-C would end it. The SDK would also hide the CLI's pid, would not
//     report the CLI's death, and would switch off the keychain that holds the user's login.
//     Instead, the SDK connects over loopback to a relay for the CLI's stdin and stdout (relay.go).
//     The CLI opens no port, and ends when Marvin ends. Marvin notices at once if the CLI dies.
//   - Sessions use ModeEmpty, with Marvin's system text and tools. In the default mode, the CLI
//     would add 17 tools that run outside Marvin's control. The CLI starts in the root directory,
//     where it finds no project instructions.
//   - Marvin declares its tools to the CLI, but only Marvin runs the tools.
//   - Marvin does not change the user's COPILOT_HOME, because this directory holds the login. Each
//     session has its own configuration directory. With the user's directory, the CLI would start
//     the user's MCP servers and hooks, and would store the conversation.
//   - The CLI retries by itself (11 s for a 429), so a Model is not wrapped in package retry.
//
// This package reads the variables that configure the user's own provider
// (COPILOT_PROVIDER_BASE_URL and others), because the CLI ignores these variables when an SDK
// controls the CLI.
package copilot

// Package chatgpt uses the user's ChatGPT plan. It logs in to OpenAI (OAuth 2 with PKCE) and renews
// the tokens.
//
// The answers themselves come over the Responses protocol (package responses), at the address that
// OpenAI's Codex uses. Addresses and names are from the sources of Codex (github.com/openai/codex:
// codex-rs/login/src/server.rs, codex-rs/codex-api, codex-rs/model-provider), read in November
// 2026.
package chatgpt

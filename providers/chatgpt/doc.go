// Package chatgpt uses the user's ChatGPT plan. It logs in to OpenAI (OAuth 2 with PKCE) and renews
// the tokens.
//
// The answers come over the Responses protocol (package responses), from the address that OpenAI's
// Codex uses. Addresses and names come from the Codex source code (github.com/openai/codex:
// codex-rs/login/src/server.rs, codex-rs/codex-api, codex-rs/model-provider), read in November
// 2026.
package chatgpt

// Package chatgpt lets the plan that a person has with ChatGPT answer: it logs in at
// OpenAI (OAuth 2 with PKCE) and renews what that gave.
//
// The answers themselves come over the Responses protocol (package responses), at the
// address that OpenAI's Codex asks. Where things are and what they are called is from the
// sources of Codex (github.com/openai/codex: codex-rs/login/src/server.rs,
// codex-rs/codex-api, codex-rs/model-provider), read in November 2026.
package chatgpt

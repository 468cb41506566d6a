// Package adapt changes a request that a server refuses, so that a refusal does not end a
// conversation. It is the only package that knows what servers refuse, such as fields, forms of
// messages, and tools.
//
// After a refusal, later requests to the same model at the same address omit the refused part, and
// the user gets one notice about each change. Other processes reuse the changes for a day (see
// [Host.Keep]), except that all tools are offered again. The Copilot CLI writes the request bodies
// itself, so this package can change only the questions to the CLI (see [Host.Closed]).
package adapt

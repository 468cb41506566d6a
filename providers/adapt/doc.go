// Package adapt changes a request that a server refuses, so that a refusal does not end a
// conversation. Only this package knows which fields, message formats and tools servers refuse.
//
// After a refusal, later requests to the same model at the same address omit the refused part, and
// the user gets one notice about each change. Other processes reuse the changes for a day (see
// [Host.Keep]), but offer all tools again. The Copilot CLI writes the request bodies itself,
// so this package can change only the questions that the CLI receives (see [Host.Closed]).
package adapt

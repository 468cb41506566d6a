// Package adapt changes a request that a server refuses, so that a refusal does not end a
// conversation. No other package knows what hosts refuse: fields, forms of messages, tools. After a
// refusal, later requests to the same model at the same address omit the refused part, and the user
// gets one notice of each change. Other processes reuse the changes for a day ([Host.Keep]), except
// that they offer all tools again. The Copilot CLI writes its own requests, so only the question
// can change there ([Host.Closed]).
package adapt

// Package adapt changes a request that a server refuses, so that a refusal does not end a
// conversation. It is the only place that knows what hosts refuse: fields, forms of messages,
// tools. A model at an address does not get again what it refused, and the user sees a notice of
// each change once. Other processes use the changes for a day ([Host.Keep]), but they offer all
// tools. The Copilot CLI writes its own requests, so only the question can change there
// ([Host.Closed]).
package adapt

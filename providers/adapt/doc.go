// Package adapt changes a request that a server refuses, so that a refusal does not end a
// conversation. It is the one place that knows what hosts refuse: fields, shapes of messages,
// tools. A model at an address does not get again what it refused, and the user sees a
// notice of each change once. Other processes use the changes for a day ([Host.Keep]), but they
// offer all tools. The Copilot CLI writes its requests itself, so that only questions change there
// ([Host.Closed]).
package adapt

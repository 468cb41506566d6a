// Package adapt changes a request that a server refuses, so that a refusal does not end a
// conversation. It is the one place that knows what hosts refuse: fields, shapes of messages,
// tools. What a model at an address refused is not sent to it again while Marvin runs, and the
// user is told of each change once.
package adapt

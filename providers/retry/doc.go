// Package retry asks a model again when that can help, and only then.
//
// What is tried again: no connection, the statuses 408, 409, 425, 429 and 5xx, and
// streams that ended before anything was shown. What was shown is never said
// twice: once a part was emitted, every error is final. A wait of more than a
// minute is not waited but told (a quota that resets tomorrow is not a hiccup,
// pi#2851). Waits are drawn from the whole range below a bound that doubles, so
// that many callers do not return as one.
//
// Decided against: retries in the HTTP client, where nobody can be told about them
// and several layers multiply; falling back to another model, which is for the
// caller to decide because it costs other money.
package retry

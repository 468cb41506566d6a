// Package retry asks a model again when that can help.
//
// It retries when there is no connection, on the statuses 408, 409, 425, 429 and 5xx, and when a
// stream ended before anything was shown. Nothing is shown twice: after the first part every error
// is final. A wait of more than a minute is reported instead (a quota that resets tomorrow is not a
// hiccup, pi#2851). Waits are random below a doubling bound, so that many callers do not return at
// once.
//
// Decided against: retries in the HTTP client, where they are invisible and several layers
// multiply; falling back to another model, which the caller decides because the price differs.
package retry

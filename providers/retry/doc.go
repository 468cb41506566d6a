// Package retry asks a model again when that can help.
//
// It retries when there is no connection, on the statuses 408, 409, 425, 429 and 5xx, and when a
// stream ended before anything was shown. No text is shown twice: after the first part every error
// is final. A wait of more than a minute is reported instead of waited for (a quota that resets
// tomorrow is no temporary fault, pi#2851). Waits are random below a doubling bound, so that many
// callers do not return at once.
//
// Two alternatives are not used: retries in the HTTP client, which are invisible and multiply over
// several layers, and falling back to another model, which the caller decides because the price
// differs.
package retry

// Package retry asks a model again if a second attempt may succeed.
//
// It retries when there is no connection, on the statuses 408, 409, 425, 429 and 5xx, and when a
// stream ended before anything was shown. After the first part of an answer every error is final,
// so no text is shown twice. If the wait would be longer than a minute, it returns an error at once
// (a quota that resets tomorrow is not a temporary fault, pi#2851). The upper bound of a wait
// doubles with each attempt. The wait is a random time below this bound, so that callers do not all
// retry at the same time.
//
// Two alternatives were rejected. Retries in the HTTP client are invisible, and multiply over
// several layers. Only the caller can decide to ask another model, because the price differs.
package retry

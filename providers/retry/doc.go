// Package retry asks a model again if a second attempt may succeed.
//
// It retries when there is no connection, on the statuses 408, 409, 425, 429 and 5xx, and when a
// stream ended before anything was shown. After the first part of an answer every error is final,
// so no text is shown twice. If the wait would be longer than a minute, it returns an error at
// once, because a quota that resets tomorrow is not a temporary fault (pi#2851). If the server
// names no time, the wait is a random time, so that callers do not all retry at the same time. The
// upper bound of this random time grows with each attempt.
//
// Two alternatives were rejected. Retries in the HTTP client are invisible, and they multiply if
// several layers retry. Asking another model is up to the caller, because the price differs.
package retry

// Package retry asks a model again if a second attempt may succeed.
//
// It retries if there is no connection, if the status is 408, 409, 425, 429 or 5xx, and if a stream
// ended before anything was shown. After the first part of an answer every error is final, so no
// text is shown twice. If the server asks for a wait of more than a minute, the package returns an
// error at once, because a quota that resets tomorrow is not a temporary fault (pi#2851). If the
// server does not say how long to wait, the wait is random, so that callers do not all retry at the
// same time. The upper bound of the random wait grows with each attempt.
//
// Two alternatives were rejected. Retries in the HTTP client are invisible, and they multiply if
// several layers retry. Asking another model is up to the caller, because the price differs.
package retry

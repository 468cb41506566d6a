// Package retry repeats a question to a model after a temporary error: an unreachable server, the
// status 408, 409, 425, 429 or 5xx, or a stream that ends early.
//
// After the first part of an answer, every error is final, because a retry would show text twice.
// An error is also final if the server asks for a pause of more than a minute, for example until a
// quota resets (pi#2851). If the server does not say how long to wait, the wait is random, so that
// callers do not all retry at the same time. The limit of the random wait grows with each retry.
//
// Retries in the HTTP client would be invisible to the user, and would multiply across layers. The
// package never switches to another model, because prices differ.
package retry

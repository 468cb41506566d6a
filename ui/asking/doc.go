// Package asking contains the state of a choice or a form that a user fills in, page by page, for
// all front ends: the marked options, the typed text, and the resulting answer.
package asking

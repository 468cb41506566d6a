// Package asking contains the state of a choice or a form that a user fills in, page by page. The
// state is the marked options, the typed text and the resulting answer. All front ends use it.
package asking

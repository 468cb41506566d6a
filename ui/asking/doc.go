// Package asking holds the state of a choice or a form while the user fills it in, page by page.
// The state consists of the marked options, the typed text and the resulting answer.
package asking

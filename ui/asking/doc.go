// Package asking tracks the user's input in a form or a multiple-choice question, page by page. It
// holds the marked options, the typed text and the resulting answer.
package asking

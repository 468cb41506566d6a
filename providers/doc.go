// Package providers asks models for answers. Its functions block until an answer is complete, and
// emit the pieces of the answer as they arrive.
//
// A [Model] is one protocol for one account. It stores no conversation, because every [Question]
// carries everything that the model needs. Failures are values that wrap one of the errors in
// errors.go, so that callers decide with errors.Is and errors.As and never by text.
//
// Each package below implements one protocol or a part of one. The list of providers is in
// catalog.go, the search for their keys in keys.go, and their prices are in prices.go.
package providers

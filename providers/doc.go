// Package providers asks models for answers. Its functions are blocking Go that streams.
//
// A [Model] is one protocol for one account. It stores no conversation, because every [Question]
// carries everything that the model needs. Failures are values that wrap one of the errors in
// errors.go, so that callers decide with errors.Is and errors.As and never by text.
//
// Each package below implements one protocol or a part of one. catalog.go lists the providers,
// keys.go finds their keys, prices.go has their prices.
package providers

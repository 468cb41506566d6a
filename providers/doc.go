// Package providers asks models for answers. Its functions block until an answer is complete, and
// emit the pieces of the answer as they arrive.
//
// A [Model] speaks one protocol and uses one account. It stores no conversation, because every
// [Question] carries everything that the model needs. Every failure wraps one of the errors in
// errors.go. Callers use errors.Is and errors.As, and never compare error messages.
//
// Each subpackage implements a protocol or a part of one. The file catalog.go lists the providers,
// keys.go finds their keys, and prices.go finds their prices.
package providers

// Package providers gets one answer from one model, streaming, as plain
// blocking Go.
//
// A [Model] is one wire protocol aimed at one account. It keeps no conversation:
// every [Question] carries all that the model is to know. Failures are returned
// as values that wrap one of the errors in errors.go, so that callers decide with
// errors.Is and errors.As and never by text.
//
// The packages below hold one wire protocol each. catalog.go says which
// providers exist, keys.go where their keys come from, prices.go what they cost.
package providers

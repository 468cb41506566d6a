// Package model implements the actor that asks one model. It ends a request whose model sends
// nothing for too long.
package model

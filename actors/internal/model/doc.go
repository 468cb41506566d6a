// Package model implements the actor that sends requests to one model. The actor ends a request if
// the model sends nothing for too long.
package model

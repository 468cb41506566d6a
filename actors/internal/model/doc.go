// Package model implements the actor that asks one model. The actor ends a request if the model
// sends nothing for too long.
package model

// Package model is the actor that asks one model, and ends a request that is silent for too long.
package model

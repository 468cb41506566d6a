// Package advice defines an error that tells the model what to do next.
package advice

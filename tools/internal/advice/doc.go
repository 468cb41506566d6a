// Package advice is an error with the next step for the model.
package advice

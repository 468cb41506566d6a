// Package advice defines an error that contains the next step for the model.
package advice

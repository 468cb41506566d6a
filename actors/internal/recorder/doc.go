// Package recorder implements the actor that writes to disk for all other actors.
package recorder

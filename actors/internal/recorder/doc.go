// Package recorder is the actor that writes to disk for all others.
package recorder

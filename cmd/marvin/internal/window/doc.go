// Package window runs a conversation that outlives its terminal, and manages its windows.
package window

// Package window holds a conversation that continues without its terminal, and its windows.
package window

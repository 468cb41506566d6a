// Package sessions has the command about stored conversations, and finds the one to continue.
package sessions

// Package host implements the requests of slash commands and front ends to the program.
package host

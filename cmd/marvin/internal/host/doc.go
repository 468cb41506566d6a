// Package host is what slash commands and front ends ask of the program.
package host

// Package host implements the requests that slash commands and front ends make to the program.
package host

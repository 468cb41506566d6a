// Package tool implements the commands that list and run tools.
package tool

// Package tool has the commands that list and run tools.
package tool

// Package memory has the command about remembered facts.
package memory

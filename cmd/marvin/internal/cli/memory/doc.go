// Package memory implements "marvin memory".
package memory

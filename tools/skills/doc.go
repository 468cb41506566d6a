// Package skills lets a model read a procedure when it needs it: of a skill only the name
// and a line are told from the beginning.
package skills

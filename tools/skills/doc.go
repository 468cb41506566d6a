// Package skills lets a model read a procedure when it needs it: at first it knows only the skill's
// name and one line.
package skills

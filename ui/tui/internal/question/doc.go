// Package question implements the panel in which the user answers questions.
package question

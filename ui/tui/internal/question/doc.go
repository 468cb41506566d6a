// Package question implements the panel that shows a question and handles its keys.
package question

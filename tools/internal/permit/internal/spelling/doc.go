// Package spelling reads the ways in which bash spells a word.
package spelling

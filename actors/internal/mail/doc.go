// Package mail contains messages that actors of several packages send to each other. A message that
// only two packages exchange is declared in the package that is imported by the other.
package mail

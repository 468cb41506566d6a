// Package mail contains messages that actors of several packages send to each other. A message
// between only two packages is declared in the imported package.
package mail

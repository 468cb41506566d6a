// Package mail holds the messages that actors of several rooms send to each other. A message between two
// rooms is in the lower one.
package mail

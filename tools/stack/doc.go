// Package stack searches the question-and-answer sites of Stack Exchange.
//
// Without a key, the service allows 300 requests a day per IP address. It can demand a pause before
// the next request to the same method, and bans clients that do not wait:
// https://api.stackexchange.com/docs/throttle
package stack

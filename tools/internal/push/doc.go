// Package push speaks to ntfy.sh: publish a message, fetch what came.
//
// The protocol is that of https://docs.ntfy.sh/publish/ and …/subscribe/api/. A topic
// is all the secret there is, so who may publish where is decided by the callers.
package push

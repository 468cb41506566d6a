// Package push publishes and fetches messages on ntfy.sh.
//
// The protocol is that of https://docs.ntfy.sh/publish/ and …/subscribe/api/. The name of a topic
// is its only secret, so the callers decide who may publish where.
package push

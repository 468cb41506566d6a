// Package push publishes and fetches messages on ntfy.sh.
//
// The protocol is that of https://docs.ntfy.sh/publish/ and …/subscribe/api/. Anyone who knows a
// topic's name can use the topic, so the callers decide who may publish where.
package push

// Package push publishes and fetches messages on ntfy.sh.
//
// The protocol is described at https://docs.ntfy.sh/publish/ and
// https://docs.ntfy.sh/subscribe/api/. Anyone who knows a topic's name can use the topic, so the
// callers decide who may publish where.
package push

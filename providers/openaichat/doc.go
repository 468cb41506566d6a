// Package openaichat speaks the chat completions protocol that OpenAI made and
// most providers copied, each with a twist of its own.
//
// Messages are built with the types of openai-go, which also signs and sends the
// request. Its decoder and accumulator are not used: they merge calls without index, sum
// usage that is repeated, lose a last event without blank line and call an HTML
// page an empty answer. The stream is read by providers/internal/sse into the few
// fields of chunk.go; every twist we know of is a test in twists_test.go.
//
// An answer is over with [DONE], or with a finish reason when nothing follows it.
// A stream that ends before either is providers.ErrCut.
//
// Decided against: reading the environment, which openai.NewClient does (a key or
// an organisation of OpenAI would go to any base URL); retries, which belong to
// whoever can tell the user about them; the error type of openai-go, which is
// empty for errors in a list, pages and texts.
package openaichat

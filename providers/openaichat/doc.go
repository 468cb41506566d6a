// Package openaichat speaks OpenAI's chat completions protocol, which most providers copied, each
// with differences.
//
// Messages are built with the types of openai-go, which also signs and sends the request. Its
// decoder and accumulator are not used, because they merge calls without index, sum repeated usage,
// lose a last event without a blank line and treat an HTML page as an empty answer. Package
// providers/internal/sse reads the stream into the few fields of chunk.go. Every known difference
// has a test in twists_test.go.
//
// An answer ends with [DONE], or with a finish reason and the end of the stream. A stream that ends
// without [DONE] and without a finish reason results in providers.ErrCut.
//
// Three features of openai-go are not used. openai.NewClient reads the environment, so OpenAI's key
// or organization would be sent to any base URL. The retries of openai-go happen where the user
// cannot see them. The error type of openai-go stays empty if the server sends the error as a list,
// as an HTML page or as plain text.
package openaichat

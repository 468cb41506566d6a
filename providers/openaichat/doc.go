// Package openaichat speaks OpenAI's chat completions protocol, which most providers copied, each
// with differences.
//
// openai-go authenticates and sends the requests. Its types encode only messages with pictures. Its
// decoder and accumulator are not used, because they merge calls without an index, sum repeated
// usage, lose the last event if no blank line follows it, and treat an HTML page as an empty
// answer. Instead, package providers/internal/sse reads the stream, and chunk.go decodes the few
// fields that are needed. Every known difference has a test in twists_test.go.
//
// An answer ends with [DONE], or with a finish reason and the end of the stream. A stream that ends
// without [DONE] and without a finish reason results in providers.ErrCut.
//
// Three features of openai-go are not used. openai.NewClient reads the environment, so OpenAI's key
// or organization would be sent to any base URL. The user cannot see openai-go's retries. Its error
// type stays empty if the server sends the error as a list, as an HTML page or as plain text.
package openaichat

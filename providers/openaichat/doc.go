// Package openaichat speaks OpenAI's chat completions protocol. Most providers use variants of this
// protocol. Every known difference has a test in twists_test.go.
//
// openai-go authenticates and sends the requests. The package uses openai-go's types only to encode
// messages with pictures. Package providers/internal/sse reads the stream, and chunk.go decodes the
// few fields that are needed.
//
// The package avoids some parts of openai-go for these reasons:
//   - The decoder and the accumulator merge calls without an index, sum repeated usage, lose the
//     last event if no blank line follows it, and treat an HTML page as an empty answer.
//   - openai.NewClient reads OpenAI's key and organization from the environment, and would send
//     them to any base URL.
//   - Retries are invisible to the user.
//   - The error type stays empty if the server's error is a list, an HTML page or plain text.
//
// An answer ends with [DONE], or with a finish reason and the end of the stream. A stream that ends
// without [DONE] and without a finish reason results in providers.ErrCut.
package openaichat

// Package headless runs one prompt and writes the answer to stdout.
//
// Golden tests check the output. In the "text" format, the model's text is streamed. Before each
// round of tool calls, a line contains 🔧 and the names of the tools. The output of a completed turn
// ends with a line break. The other formats are JSON.
//
// A run has the outcome of its turn. If the turn completes but the output cannot be written, the
// run fails.
package headless

// Package headless runs one prompt and writes the answer to stdout.
//
// Golden tests check the output. In the "text" format, the model's text is streamed. A line with 🔧
// and the names of the tools precedes each round of tool calls. The output of a completed turn ends
// with a line break. The other formats are JSON.
//
// The outcome of a run is the outcome of its turn. However, if the turn completes but the output
// cannot be written, the run fails. The run also fails if the turn does not end.
package headless

// Package headless runs one prompt and writes the answer to stdout.
//
// Golden tests check the output. The "text" format contains the model's text as it arrives, and a
// line with 🔧 and the tool names before each round of tool calls. The output of a completed turn
// ends with a line break. The other formats are JSON. A run has the outcome of its turn, but a
// completed turn whose output cannot be written counts as failed.
package headless

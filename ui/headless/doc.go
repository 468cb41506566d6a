// Package headless runs one prompt for a program that reads stdout.
//
// Golden tests check that the output does not change. In the "text" format, the model's text is
// written as it arrives. Before each round of tools there is a line with 🔧 and the names of the
// tools. A line break ends the output. The other formats are JSON. The outcome of a run is the
// outcome of its turn, unless the output could not be written.
package headless

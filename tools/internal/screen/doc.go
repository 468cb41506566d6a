// Package screen says what is left of a stream of output once a terminal has shown it:
// the last state of each line.
//
// Programs draw progress by going back over a line, and over several lines at once; they
// colour what they say, set titles and switch modes. A model pays for each byte of that
// and can read none of it. The width of the screen is not bounded, so that no line is
// broken where the program did not break it.
package screen

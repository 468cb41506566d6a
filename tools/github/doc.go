// Package github searches GitHub, clones repositories and reads the clones.
//
// With the gh program the user's login counts; without it, or when nobody is logged
// in, the public interface and plain git do what they can. Clones are kept under
// ~/github-clones/OWNER/NAME and appear there whole or not at all. They hold what a
// stranger wrote: nothing in them is run, and their links do not lead out of them.
package github

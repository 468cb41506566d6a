// Package github searches GitHub, clones repositories and reads the clones; and it reads
// pull requests and their checks, makes and comments them, and watches checks.
//
// With the gh program the user's login counts; without it, or when nobody is logged
// in, the public interface and plain git do what they can. Clones are kept under
// ~/github-clones/OWNER/NAME and appear there whole or not at all. They hold what a
// stranger wrote: nothing in them is run, and their links do not lead out of them.
//
// Pull requests and checks are asked for through gh, by its "gh api": the login is the
// user's, and the answers are those of the documented interface whatever version gh has.
// Only github.com is asked, and the host that the user's GH_HOST names.
package github

// Package github searches GitHub, clones and reads repositories, works with pull requests, and
// watches checks.
//
// With the gh program it uses the user's login; without it, or when the user is not logged in, it
// uses the public interface and plain git. Clones are kept under ~/github-clones/OWNER/NAME and
// appear there completely or not at all. Their content is untrusted: nothing in them runs, and
// their links do not lead outside.
//
// Pull requests and checks use "gh api": with the user's login, and with the documented answers
// whatever the version of gh. Only github.com and the host in the user's GH_HOST are contacted.
package github
